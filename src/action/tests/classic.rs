//! Classic files: they load as they are, and convert to the step form with their comments.

use super::*;

/// Every command of the format with every option it documents.
const EVERYTHING: &str = r##"# Order the usual things.
# Needs an account.

commands:
  - type: navigate
    url: ${{SHOP_URL}}/login
    waitUntil: networkidle   # the login form comes late
    description: Open ${{SHOP_URL}}
  # Who we are.
  - type: fill
    selector: '#email'
    value: ${{ SHOP_USER }}
    description: "Type the address: it has a colon"
  - { type: type, selector: 'input[name="password"]', value: "${{SHOP_PASSWORD}}", delay: 50 }
  - type: click
    selector: role:button[Sign in]
    button: left
    clickCount: 1
    timeout: 5000

  - type: wait_for_selector
    # The account's menu.
    selector: '[data-login="true"]'
    timeout: 10000
  - { type: wait_for_text, text: "Welcome, John", timeout: 3000 }
  - { type: wait_for_timeout, duration: 250 }
  - { type: hover, selector: .menu > a }
  - { type: press_key, key: Enter }
  - { type: clear, selector: "label:Search" }
  - { type: check, selector: "#terms" }
  - { type: uncheck, selector: "#letters" }
  - { type: select_option, selector: "#country", value: ie }
  - { type: drag, selector: "#a", targetSelector: "#b" }
  - { type: upload_file, selector: "#photo", files: [a.png, "b c.png"] }
  - { type: scroll, x: 0, y: 500 }
  - { type: get_text, selector: h1 }
  - { type: get_attribute, selector: "a >> nth=1", attribute: href }
  - type: evaluate
    script: |
      // # not a comment of YAML
      const rows = document.querySelectorAll("tr");

      rows.length
    description: Count the rows
  - { type: screenshot, path: shot.png, fullPage: true }
  - { type: reload }
  - { type: navigate_back }
  - { type: get_url }
  - { type: get_title }   # the last one
# The end.
"##;

#[test]
fn every_classic_command_loads_unchanged() {
    let action = action(EVERYTHING);
    let Body::Shortcut(shortcut) = &action.body;
    let mut used: Vec<&str> = shortcut
        .steps
        .iter()
        .filter_map(|step| match &step.kind {
            StepKind::Command { command, .. } => Some(command.name),
            _ => None,
        })
        .collect();
    used.sort_unstable();
    assert_eq!((used.len(), used.windows(2).any(|pair| pair[0] == pair[1])), (24, false));
}

fn converted(text: &str) -> String {
    match convert(Path::new("a.yaml"), text) {
        Ok(text) => {
            assert_eq!(problems(&text), "", "{text}");
            text
        }
        Err(ConvertError::Broken(problems)) => problems.iter().map(|problem| format!("{problem}\n")).collect(),
        Err(error) => format!("{error}\nhint: {}", error.hint()),
    }
}

#[test]
fn a_classic_file_is_said_in_steps() {
    insta::assert_snapshot!(converted(EVERYTHING), @r##"
    # Order the usual things.
    # Needs an account.

    description: "Open <secret:SHOP_URL>; Type the address: it has a colon; Count the rows"
    steps:
      # the login form comes late
      - navigate: $<<SHOP_URL>>/login
        wait_until: networkidle
        label: Open <secret:SHOP_URL>
      # Who we are.
      - fill: "#email"
        value: $<<SHOP_USER>>
        label: "Type the address: it has a colon"
      - type: css:input[name="password"]
        value: $<<SHOP_PASSWORD>>
        delay: 50
      - click: role:button[Sign in]
        button: left
        click_count: 1
        timeout: 5s

      # The account's menu.
      - wait_for_selector: "[data-login=\"true\"]"
        timeout: 10s
      - wait_for_text: Welcome, John
        timeout: 3s
      - wait_for_timeout: 250
      - hover: .menu > a
      - press_key: Enter
      - clear: label:Search
      - check: "#terms"
      - uncheck: "#letters"
      - select_option: "#country"
        value: ie
      - drag: "#a"
        target_selector: "#b"
      - upload_file: "#photo"
        files: ["a.png","b c.png"]
      - scroll:
        x: 0
        y: 500
      - get_text: css:h1
      - get_attribute: css:a >> nth:1
        attribute: href
      - evaluate: |
          // # not a comment of YAML
          const rows = document.querySelectorAll("tr");

          rows.length
        label: Count the rows
      - screenshot: shot.png
        full_page: true
      - reload
      - navigate_back
      - get_url
      # the last one
      - get_title
    # The end.
    "##);
}

#[test]
fn what_stands_around_the_commands_stays() {
    let text = "\u{feff}title: Order # short\r\ndescription: Order the usual things\r\ncommands: # one by one\r\n- type: type\r\n  selector: click\r\n  value: 'yes'\r\n\r\n  # behind\r\ntimeout: 10s # enough\r\n";
    insta::assert_snapshot!(converted(text), @r"
    title: Order # short
    description: Order the usual things
    steps: # one by one
      - type:
        selector: click
        value: yes

      # behind
    timeout: 10s # enough
    ");
}

#[test]
fn what_can_not_be_converted_is_left_alone() {
    let answers = [
        "description: x\nsteps:\n  - get_title\n",
        "{ commands: [{ type: get_title }] }\n",
        "commands:\n  - type: clik\n    selector: x\n",
    ];
    insta::assert_snapshot!(answers.map(converted).join("\n\n"), @r"
    the file is not in the classic format
    hint: only files with `commands:` are converted

    the file's keys do not each begin a line
    hint: write `commands:` at the start of a line, with one command per `- `

    error: unknown command `clik`
     --> a.yaml:2:11
      |
    2 |   - type: clik
      |           ^^^^
      hint: did you mean `click`?
    ");
}
