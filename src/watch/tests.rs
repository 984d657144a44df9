//! Edits of every kind, and what a call right after them sees.

use std::fs;
use std::path::Path;

use super::*;

/// A directory of actions that is watched.
struct World {
    folder: tempfile::TempDir,
    watcher: Watcher,
}

impl World {
    async fn new(files: &[(&str, &str)]) -> World {
        let folder = tempfile::tempdir().unwrap();
        for (name, description) in files {
            write(&folder.path().join("actions").join(name), description);
        }
        let directories = vec![folder.path().join("actions")];
        let watcher = Watcher::start(LoadRequest { directories, builtins: false }).await;
        World { folder, watcher }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("actions").join(name)
    }

    /// What the next call sees: names and descriptions.
    async fn seen(&self) -> Vec<String> {
        self.watcher.settled().await;
        let catalog = self.watcher.catalogs().borrow().clone();
        catalog
            .actions()
            .map(|action| {
                let stale = if catalog.stale(&action.name).is_some() { " (stale)" } else { "" };
                format!("{}: {}{stale}", action.name, action.description)
            })
            .collect()
    }

    /// Waits for the next publication, which no call asked for.
    async fn published(&self, expected: &str) {
        let mut catalogs = self.watcher.catalogs();
        let described = |catalog: &Arc<Catalog>| catalog.actions().any(|action| action.description == expected);
        let waiting = catalogs.wait_for(described);
        tokio::time::timeout(Duration::from_secs(5), waiting).await.expect("published in time").unwrap();
    }
}

fn write(path: &Path, description: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text(description)).unwrap();
}

fn text(description: &str) -> String {
    format!("description: {description}\nsteps:\n  - navigate: https://example.com\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_right_after_an_edit_sees_it() {
    let world = World::new(&[("one.yaml", "first")]).await;
    assert_eq!(world.seen().await, ["one: first"]);
    for round in 0..5 {
        let description = format!("round {round}");
        write(&world.path("one.yaml"), &description);
        assert_eq!(world.seen().await, [format!("one: {description}")]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_way_of_saving_counts() {
    let world = World::new(&[("one.yaml", "first")]).await;
    write(&world.path(".one.yaml.tmp"), "renamed over");
    fs::rename(world.path(".one.yaml.tmp"), world.path("one.yaml")).unwrap();
    assert_eq!(world.seen().await, ["one: renamed over"]);

    write(&world.path("deep/er/two.yaml"), "in a new folder");
    assert_eq!(world.seen().await, ["deep_er_two: in a new folder", "one: renamed over"]);

    fs::rename(world.path("deep"), world.path("other")).unwrap();
    assert_eq!(world.seen().await, ["one: renamed over", "other_er_two: in a new folder"]);

    write(&world.path("other/er/two.yaml"), "edited where it went");
    assert_eq!(world.seen().await, ["one: renamed over", "other_er_two: edited where it went"]);

    fs::remove_dir_all(world.path("other")).unwrap();
    fs::remove_file(world.path("one.yaml")).unwrap();
    assert_eq!(world.seen().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_file_keeps_its_last_good_version() {
    let world = World::new(&[("one.yaml", "good"), ("two.yaml", "beside")]).await;
    fs::write(world.path("one.yaml"), "description: [").unwrap();
    assert_eq!(world.seen().await, ["one: good (stale)", "two: beside"]);
    write(&world.path("one.yaml"), "mended");
    assert_eq!(world.seen().await, ["one: mended", "two: beside"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_are_published_without_a_call() {
    let world = World::new(&[("one.yaml", "first")]).await;
    world.seen().await;
    write(&world.path("one.yaml"), "pushed");
    world.published("pushed").await;
    write(&world.path("new/two.yaml"), "pushed from a new folder");
    world.published("pushed from a new folder").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_directory_may_come_late_and_be_replaced() {
    let world = World::new(&[]).await;
    assert_eq!(world.seen().await, Vec::<String>::new());
    write(&world.path("one.yaml"), "came late");
    world.published("came late").await;

    let actions = world.folder.path().join("actions");
    fs::rename(&actions, world.folder.path().join("old")).unwrap();
    write(&world.path("one.yaml"), "replaced");
    world.published("replaced").await;
    write(&world.path("one.yaml"), "edited after that");
    world.published("edited after that").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_writes_are_few_publications() {
    let world = World::new(&[("one.yaml", "first")]).await;
    world.seen().await;
    let mut catalogs = world.watcher.catalogs();
    catalogs.borrow_and_update();
    let counting = tokio::spawn(async move {
        let mut publications = 0;
        while catalogs.changed().await.is_ok() {
            publications += 1;
            if catalogs.borrow_and_update().actions().any(|action| action.description == "write 49") {
                break;
            }
        }
        publications
    });
    for number in 0..50 {
        write(&world.path("one.yaml"), &format!("write {number}"));
    }
    assert_eq!(world.seen().await, ["one: write 49"]);
    let publications = counting.await.unwrap();
    assert!(publications <= 2, "{publications} publications");
}

#[tokio::test(flavor = "multi_thread")]
async fn reading_and_touching_publish_nothing() {
    let world = World::new(&[("one.yaml", "first")]).await;
    world.seen().await;
    let mut catalogs = world.watcher.catalogs();
    catalogs.borrow_and_update();
    fs::read(world.path("one.yaml")).unwrap();
    write(&world.path("one.yaml"), "first");
    fs::write(world.path("notes.txt"), "no action").unwrap();
    assert_eq!(world.seen().await, ["one: first"]);
    assert!(!catalogs.has_changed().unwrap());
}
