//! Loading directories of shortcuts from cold: how long it takes, and that it grows with their number and no faster.
//! `cargo bench --bench load`.

use std::fmt::Write;
use std::path::Path;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use repertoire::action::{Catalog, LoadRequest, load};

/// Four steps; a file repeats them five times.
const STEPS: &str = r#"
  - navigate: https://shop.example/orders/N
    wait_until: networkidle
  - fill: label:Email
    value: ${{ inputs.email }}
  # What only some accounts are asked.
  - click: role:button[Confirm N]
    when: ${{ inputs.remember and page.title != "Orders" }}
    timeout: 5s
  - get_text: testid:account >> nth:0
    as: account_N
"#;

fn shortcut(number: usize) -> String {
    let mut text = format!(
        "# Shortcut {number}.\ntitle: Sign in to the shop\ndescription: Sign in and report the account's name.\n\
         inputs:\n  email: {{ type: string, format: email, description: Account to sign in with }}\n  \
         remember: {{ type: boolean, default: false }}\ntimeout: 45s\nsteps:"
    );
    (0..5).for_each(|round| text.push_str(&STEPS.replace('N', &round.to_string())));
    text.push_str("outputs:\n");
    for round in 0..5 {
        let _ = writeln!(text, "  account_{round}: {{ value: \"${{{{ account_{round} }}}}\", type: string }}");
    }
    text
}

fn directory(files: usize) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for number in 0..files {
        let path = directory.path().join(format!("folder_{}/shortcut_{number}.yaml", number % 20));
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("a directory");
        std::fs::write(path, shortcut(number)).expect("written");
    }
    directory
}

fn cold(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("load");
    group.sample_size(20);
    for files in [250, 500, 1000, 2000] {
        let directory = directory(files);
        let request = LoadRequest { directories: vec![directory.path().to_owned()], builtins: false };
        let catalog = load(&request, &Catalog::default());
        assert_eq!((catalog.actions().count(), catalog.problems()), (files, &[][..]));
        group.throughput(Throughput::Elements(files as u64));
        group.bench_with_input(BenchmarkId::from_parameter(files), &request, |bencher, request| {
            bencher.iter(|| load(request, &Catalog::default()));
        });
    }
    group.finish();
}

criterion_group!(benches, cold);
criterion_main!(benches);
