//! One load after the other.

use super::*;

const GOOD: &str = "description: Read the title\nsteps:\n  - get_title\n";

#[test]
fn a_broken_file_keeps_its_last_good_action() {
    let files = Files::new(&[("a.yaml", GOOD), ("b.yaml", GOOD)]);
    let first = files.load();
    files.write("a.yaml", "description: Read the title\nsteps:\n  - get_titel\n");
    let second = files.load_after(&first);
    insta::assert_snapshot!(world(&second), @r"
    actions: a b
    error: unknown command `get_titel`
      --> a.yaml:3:5
       |
    3  |   - get_titel
       |     ^^^^^^^^^
      hint: did you mean `get_title`?
    ");
}
