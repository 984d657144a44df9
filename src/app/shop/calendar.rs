//! Dates as the shop needs them: ISO text, which sorts by time, from days since 1970-01-01. No time zones: UTC.

use std::time::{SystemTime, UNIX_EPOCH};

const SECONDS_PER_DAY: u64 = 24 * 60 * 60;

/// Days from 1970-01-01 until today.
pub(super) fn today() -> u64 {
    // A clock before 1970 is as good as one that stands at its beginning.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs() / SECONDS_PER_DAY)
}

/// The date that lies `days` after 1970-01-01, as `YYYY-MM-DD`.
pub(super) fn iso_date(mut days: u64) -> String {
    let mut year = 1970;
    while days >= days_in_year(year) {
        days -= days_in_year(year);
        year += 1;
    }
    let mut month = 1;
    while days >= days_in_month(year, month) {
        days -= days_in_month(year, month);
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", days + 1)
}

/// Whether the text is a real date as `YYYY-MM-DD`.
pub(super) fn is_iso_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let shaped = bytes.len() == 10
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if !shaped {
        return false;
    }
    let number = |digits: &str| digits.parse::<u64>().unwrap_or(0);
    let (year, month, day) = (number(&text[..4]), number(&text[5..7]), number(&text[8..]));
    (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day)
}

fn days_in_year(year: u64) -> u64 {
    if is_leap(year) { 366 } else { 365 }
}

fn days_in_month(year: u64, month: u64) -> u64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        let dates = [0, 58, 59, 789, 11_016, 19_782, 20_453].map(iso_date);
        assert_eq!(
            dates,
            ["1970-01-01", "1970-02-28", "1970-03-01", "1972-02-29", "2000-02-29", "2024-02-29", "2025-12-31"]
        );
        assert!(dates.iter().all(|date| is_iso_date(date)));
    }

    #[test]
    fn other_text_is_no_date() {
        let dates = ["", "2025-13-01", "2025-02-29", "2025-00-10", "2025-1-1", "2025/01/01", "２０25-01", "2025-01-32"];
        assert_eq!(dates.map(is_iso_date), [false; 8]);
    }
}
