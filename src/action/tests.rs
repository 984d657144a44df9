//! Scenarios: files in a directory, one load, one comparison of everything that comes out.

mod awaited;
mod calls;
mod classic;
mod flow;
mod link;
mod mistakes;
mod mistakes_in_flow;
mod mistakes_in_steps;
mod mutations;
mod reload;
mod typed;

use std::fs;
use std::path::Path;

use super::*;

/// A directory of actions.
struct Files(tempfile::TempDir);

impl Files {
    fn new(files: &[(&str, &str)]) -> Files {
        let files_in = Files(tempfile::tempdir().expect("a directory can be made"));
        for (path, text) in files {
            files_in.write(path, text);
        }
        files_in
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("it has one")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }

    fn load(&self) -> Catalog {
        self.load_after(&Catalog::default())
    }

    fn load_after(&self, previous: &Catalog) -> Catalog {
        let request = LoadRequest { directories: vec![self.path().to_owned()], builtins: false };
        load(&request, previous)
    }
}

/// The names of a catalog and everything wrong with it.
fn world(catalog: &Catalog) -> String {
    let names: Vec<&str> = catalog.actions().map(|action| action.name.as_str()).collect();
    let mut world = format!("actions: {}\n", names.join(" "));
    for problem in catalog.problems() {
        world.push_str(&format!("{problem}\n"));
    }
    world
}

/// The problems of one file named `a.yaml`.
fn problems(text: &str) -> String {
    let catalog = Files::new(&[("a.yaml", text)]).load();
    let problems: Vec<String> = catalog.problems().iter().map(ToString::to_string).collect();
    problems.join("\n")
}

/// The only action of a file without problems.
fn action(text: &str) -> Arc<Action> {
    let catalog = Files::new(&[("a.yaml", text)]).load();
    assert_eq!(catalog.problems(), [], "{}", world(&catalog));
    catalog.get("a").expect("it is there").clone()
}

#[test]
fn built_in_actions_have_no_problems() {
    let request = LoadRequest { directories: Vec::new(), builtins: true };
    let catalog = load(&request, &Catalog::default());
    insta::assert_snapshot!(world(&catalog), @"actions: browser_close browser_screenshot browser_session browser_snapshot");
    let session = catalog.get("browser_session").expect("it is there");
    let schema = &session.input_schema["properties"]["commands"];
    assert_eq!(schema["type"], "array");
    assert_eq!(schema["description"], "The commands to perform in order");
}
