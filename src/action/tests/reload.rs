//! Directories: what is found in them, who gets a name, and one load after the other.

use super::*;

const GOOD: &str = "description: Read the title\nsteps:\n  - get_title\n";
const BAD: &str = "description: Read the title\nsteps:\n  - get_titel\n";

#[test]
fn names_come_from_paths() {
    let files = Files::new(&[
        ("shop/sign-in.yaml", GOOD),
        ("shop/deep/x.yml", GOOD),
        ("repertoire.yaml", "headed: true\n"),
        ("shop/repertoire.yaml", GOOD),
        ("_draft.yaml", GOOD),
        (".hidden/a.yaml", BAD),
        ("_parts/a.yaml", GOOD),
        ("notes.txt", "x"),
        ("checkout.wasm", "x"),
        ("9.yaml", GOOD),
        ("run/action.yaml", GOOD),
    ]);
    insta::assert_snapshot!(world(&files.load()), @r"
    actions: shop_deep_x shop_repertoire shop_sign_in
    warning: scripts are not supported by this version
     --> checkout.wasm
    error: `9` can't be the name of a tool
     --> 9.yaml
      hint: give the file a `name:`; start with a letter, then up to 39 of `a-z`, `0-9` and `_`
    error: `run_action` is the name of a tool of the host
     --> run/action.yaml
      hint: choose another name
    ");
}

#[test]
fn the_first_of_two_equal_names_wins() {
    let named = |name: &str| format!("name: {name}\n{GOOD}");
    let first = Files::new(&[("b.yaml", GOOD), ("a.yaml", &named("b")), ("c.yaml", &named("browser_close"))]);
    let second = Files::new(&[("b.yaml", GOOD), ("d.yaml", GOOD)]);
    let request = LoadRequest {
        directories: vec![first.path().into(), second.path().into(), first.path().into()],
        builtins: true,
    };
    let catalog = load(&request, &Catalog::default());
    let world = world(&catalog).replace(&*first.path().to_string_lossy(), "<first>");
    insta::assert_snapshot!(world, @r"
    actions: b browser_close browser_screenshot browser_session browser_snapshot d
    error: `b` is already the name of a.yaml
     --> b.yaml
      hint: give one of the two another `name:`
    error: `b` is already the name of <first>/a.yaml
     --> b.yaml
      hint: give one of the two another `name:`
    warning: `browser_close` of c.yaml replaces the built-in <builtin>/browser_close.yaml
     --> c.yaml
      hint: choose another `name:` to have both
    ");
    let b = catalog.get("b").expect("it is there");
    assert_eq!(b.source.shown(), Path::new("a.yaml"));
}

#[test]
fn a_broken_file_keeps_its_last_good_action() {
    let files = Files::new(&[("a.yaml", GOOD), ("b.yaml", GOOD)]);
    let first = files.load();
    files.write("a.yaml", BAD);
    let second = files.load_after(&first);
    insta::assert_snapshot!(world(&second), @r"
    actions: a b
    error: unknown command `get_titel`
     --> a.yaml:3:5
      |
    3 |   - get_titel
      |     ^^^^^^^^^
      hint: did you mean `get_title`?
    ");
    assert_eq!(second.stale("a"), second.problems().first());
    assert_eq!(second.stale("b"), None);
    let same = |name| Arc::ptr_eq(first.get(name).expect("it is"), second.get(name).expect("it is"));
    assert!(same("a") && same("b") && first.same_tools(&second));

    // Still broken, though nothing is read again; then not even text; then repaired; then gone.
    let third = files.load_after(&second);
    assert_eq!(world(&third), world(&second));
    assert!(third.stale("a").is_some());
    files.write("a.yaml", b"description: \xff\n");
    let fourth = files.load_after(&third);
    insta::assert_snapshot!(world(&fourth), @r"
    actions: a b
    error: the file is not UTF-8 text
     --> a.yaml:1:14
      hint: save it as UTF-8
    ");
    assert!(fourth.get("a").is_some() && fourth.stale("a").is_some());
    files.write("a.yaml", GOOD);
    let fifth = files.load_after(&fourth);
    assert_eq!((world(&fifth).as_str(), fifth.stale("a")), ("actions: a b\n", None));
    fs::remove_file(files.path().join("a.yaml")).expect("it is there");
    assert_eq!(world(&files.load_after(&fifth)), "actions: b\n");
}

#[test]
fn only_what_clients_see_makes_another_list_of_tools() {
    let files = Files::new(&[("a.yaml", GOOD)]);
    let first = files.load();
    files.write("a.yaml", GOOD.replace("get_title", "get_url"));
    let steps = files.load_after(&first);
    assert!(first.same_tools(&steps));
    assert_ne!(first.get("a").map(|a| &a.version), steps.get("a").map(|a| &a.version));
    files.write("a.yaml", GOOD.replace("Read", "Tell"));
    assert!(!first.same_tools(&files.load_after(&first)));
    files.write("a.yaml", format!("inputs: {{ x: string }}\n{GOOD}"));
    assert!(!first.same_tools(&files.load_after(&first)));
}

#[test]
fn the_same_directory_gives_the_same_catalog() {
    let names = ["z.yaml", "a/z.yaml", "a/b.yaml", "m.yaml", "a-b.yaml"];
    let one = Files::new(&names.map(|name| (name, GOOD)));
    let mut reversed = names;
    reversed.reverse();
    let other = Files::new(&reversed.map(|name| (name, GOOD)));
    insta::assert_snapshot!(world(&one.load()), @r"
    actions: a_b a_z m z
    error: `a_b` is already the name of a/b.yaml
     --> a-b.yaml
      hint: give one of the two another `name:`
    ");
    assert_eq!(world(&one.load()), world(&other.load()));
    assert!(one.load().same_tools(&other.load()));
}

#[test]
fn a_directory_that_is_missing_is_a_problem() {
    let files = Files::new(&[("a.yaml", GOOD), ("file", "x")]);
    let request =
        LoadRequest { directories: vec!["/no/such/directory".into(), files.path().to_owned()], builtins: false };
    insta::assert_snapshot!(world(&load(&request, &Catalog::default())), @r"
    actions: a
    error: the directory does not exist
     --> /no/such/directory
      hint: create it, or name another with `--actions`
    ");
}

#[cfg(unix)]
#[test]
fn links_stay_inside_the_directory() {
    use std::os::unix::fs::symlink;
    let outside = Files::new(&[("secret.yaml", GOOD)]);
    let files = Files::new(&[("real/a.yaml", GOOD)]);
    let link = |target: &Path, name: &str| symlink(target, files.path().join(name)).expect("it can be made");
    link(&outside.path().join("secret.yaml"), "b.yaml");
    link(outside.path(), "out");
    link(Path::new("real/a.yaml"), "c.yaml");
    link(files.path(), "real/loop");
    link(Path::new("nowhere"), ".#lock.yaml");
    link(Path::new("nowhere"), "gone.yaml");
    insta::assert_snapshot!(world(&files.load()), @r"
    actions: c real_a
    error: the link leaves the directory
     --> b.yaml
      hint: copy the file, or give the other directory with `--actions` too
    error: the link leaves the directory
     --> out
      hint: copy the file, or give the other directory with `--actions` too
    ");
}
