//! Downloads end as files or as errors that say why.

use std::time::Duration;

use insta::{assert_debug_snapshot, assert_snapshot};
use repertoire::browser::{DownloadLimit, Expected, LoadState, Session};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::{LIMIT, click, click_expecting, words};
use crate::support::{Site, deadline, open, session};

/// A server of files that come whole, in part, or never to an end.
async fn files() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a loopback port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream));
        }
    });
    address
}

async fn serve(mut stream: TcpStream) -> std::io::Result<()> {
    let mut request = vec![0; 4096];
    let length = stream.read(&mut request).await?;
    let request = String::from_utf8_lossy(&request[..length]).into_owned();
    let path = request.split(' ').nth(1).unwrap_or_default();
    let head = |name: &str, length: &str| {
        format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ncontent-disposition: attachment; filename=\"{name}\"\r\nconnection: close\r\n{length}\r\n"
        )
    };
    match path {
        "/report" => stream.write_all((head("report.pdf", "content-length: 5\r\n") + "hello").as_bytes()).await,
        "/empty" => stream.write_all(head("empty.bin", "content-length: 0\r\n").as_bytes()).await,
        "/broken" => stream.write_all((head("broken.zip", "content-length: 1000\r\n") + "half").as_bytes()).await,
        "/endless" => {
            stream.write_all(head("endless.log", "").as_bytes()).await?;
            loop {
                stream.write_all(&[b'x'; 4096]).await?;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
        _ => stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await,
    }
}

fn download(max_bytes: u64) -> Expected {
    Expected { download: Some(DownloadLimit { max_bytes }), ..Expected::default() }
}

async fn downloaded(session: &mut Session, selector: &str, max_bytes: u64, limit: u64) -> String {
    match click_expecting(session, selector, download(max_bytes), limit).await {
        Ok(fulfilled) => {
            let download = fulfilled.download.expect("a download");
            let content = std::fs::read_to_string(download.file()).expect("a file");
            format!("{} {} `{content}`", download.name, download.bytes)
        }
        Err(error) => words(&error),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn they_end_as_files_or_say_why() {
    let (site, files, mut session) = (Site::start().await, files().await, session());
    site.set("/two", "two");
    let body = format!(
        "<a id=report href={files}/report>Report</a> <a id=blank href={files}/report target=_blank>New tab</a>
        <a id=empty href={files}/empty>Empty</a> <a id=broken href={files}/broken>Broken</a>
        <a id=endless href={files}/endless>Endless</a>
        <a id=named href=/two download='../ü.html'>Named</a> <a id=data href='data:text/plain,abc' download=d.txt>Data</a>
        <button id=blob onclick='a = document.createElement(`a`); a.download = `b.txt`; a.href = window.URL.createObjectURL(new Blob([`blob`])); a.click()'>Blob</button>
        <button id=later onclick='setTimeout(() => location = `{files}/report`, 200)'>Later</button>
        <iframe id=frame></iframe><button id=framed onclick='frame.src = `{files}/report`'>Framed</button>"
    );
    open(&mut session, &site, &body).await;
    let mut seen = Vec::new();
    for (selector, max_bytes, limit) in [
        ("#report", 100, LIMIT),
        ("#blank", 100, LIMIT),
        ("#empty", 100, LIMIT),
        ("#data", 100, LIMIT),
        ("#blob", 100, LIMIT),
        ("#later", 100, LIMIT),
        ("#framed", 100, LIMIT),
        ("#broken", 10_000, LIMIT),
        ("#report", 4, LIMIT),
        ("#endless", 20_000, LIMIT),
        ("#endless", 1_000_000_000, 1_000),
    ] {
        let told = downloaded(&mut session, selector, max_bytes, limit).await;
        // How much of an endless one arrived depends on the machine.
        let told = told.split(" | ").next().unwrap_or_default().trim_end_matches(" bytes were there");
        seen.push(format!("{selector}: {}", told.trim_end_matches(|character: char| character.is_ascii_digit())));
    }
    assert_snapshot!(seen.join("\n"), @r"
    #report: report.pdf 5 `hello`
    #blank: report.pdf 5 `hello`
    #empty: empty.bin 0 ``
    #data: d.txt 3 `abc`
    #blob: b.txt 4 `blob`
    #later: report.pdf 5 `hello`
    #framed: report.pdf 5 `hello`
    #broken: the download of `broken.zip` failed: cancelled by the page, or broken off by the server, after 0 bytes
    #report: the download of `report.pdf` failed: larger than the 4 bytes that are allowed
    #endless: the download of `endless.log` failed: larger than the 20000 bytes that are allowed
    #endless: the download of `endless.log` failed: not complete within 1s, 
    ");
    assert_eq!(session.tabs(&deadline(LIMIT)).await.expect("tabs").len(), 1);
    assert_debug_snapshot!(session.take_downloads().len(), @"0");
    session.close().await;
}

/// The downloads that were kept, once there are so many or a note tells of one that was not.
async fn kept(session: &mut Session, least: usize) -> String {
    let limit = deadline(LIMIT);
    let (mut kept, mut notes) = (Vec::new(), Vec::new());
    while kept.len() < least || kept.is_empty() && notes.is_empty() {
        limit.pause(Duration::from_millis(5)).await.expect("downloads");
        kept.extend(session.take_downloads().into_iter().map(|download| download.name.clone()));
        notes.extend(session.take_notes());
    }
    kept.sort();
    notes.sort();
    notes.dedup_by_key(|note| note.split(": ").next().unwrap_or_default().to_owned());
    format!("{} {}", kept.join(" "), notes.join(", "))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_expects_is_kept() {
    let (site, files, mut session) = (Site::start().await, files().await, session());
    let body = format!(
        "<button id=many onclick='for (let i = 0; i < 14; i++) {{ a = document.createElement(`a`); a.download = i; a.href = `data:text/plain,` + i; a.click() }}'>Many</button>
        <a id=broken href={files}/broken>Broken</a> <a id=report href={files}/report>Report</a>"
    );
    let page = open(&mut session, &site, &body).await;
    let limit = deadline(LIMIT);
    let navigated = page.navigate(&format!("{files}/report"), LoadState::Load, &limit).await.expect_err("a file");
    assert_snapshot!(words(&navigated).replace(&files, "FILES"), @"can't open `FILES/report`: it is a download, not a page");
    let mut seen = vec![format!("navigate: {}", kept(&mut session, 1).await)];
    click(&mut session, "#report").await.expect("clicked");
    seen.push(format!("report: {}", kept(&mut session, 1).await));
    click(&mut session, "#broken").await.expect("clicked");
    seen.push(format!("broken: {}", kept(&mut session, 0).await));
    // Chromium itself allows ten for each click.
    click(&mut session, "#many").await.expect("clicked");
    seen.push(format!("many: {}", kept(&mut session, 10).await));
    assert_snapshot!(seen.join("\n"), @r"
    navigate: report.pdf 
    report: report.pdf 
    broken:  a download that no step expected failed, cancelled by the page, or broken off by the server, after 0 bytes: broken.zip
    many: 0.txt 1.txt 2.txt 3.txt 4.txt 5.txt 6.txt 7.txt 8.txt 9.txt
    ");
    // Expected, the same address is no error.
    let armed = session.expect(download(100), &limit).await.expect("armed");
    let page = session.page(&limit).await.expect("a page");
    page.navigate(&format!("{files}/report"), LoadState::Load, &limit).await.expect("it is expected");
    let report = session.fulfil(armed, &limit).await.expect("fulfilled").download.expect("a download");
    let file = report.file().to_owned();
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), "hello");
    drop(report);
    assert!(!file.exists());
    session.close().await;
}
