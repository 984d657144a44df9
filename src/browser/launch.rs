//! Starting Chromium and ending it: flags, profile, debugging pipe, process group.
//!
//! Over the pipe (`--remote-debugging-pipe`, descriptors 3 and 4) no port is opened, and Chromium ends by itself when
//! the host's ends of the pipe close, however the host ends. Its own process group lets the host end it with force.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use super::emulation::Emulation;
use super::error::Error;

/// How long Chromium may take to end when asked.
const CLOSE_LIMIT: Duration = Duration::from_secs(3);
/// How the names of temporary profiles begin.
const TEMPORARY: &str = "repertoire-profile-";
/// A symbolic link in a profile that names the process that uses it.
const LOCK: &str = "SingletonLock";
/// Held by the host that uses a profile.
const OWN_LOCK: &str = "repertoire.lock";
/// Lines of Chromium's error output that an error quotes.
const TAIL: usize = 8;

/// How the browser is started.
#[derive(Clone, Debug)]
pub struct LaunchOptions {
    /// The executable; `None` looks for one.
    pub executable: Option<PathBuf>,
    /// The profile directory; `None` makes a temporary one for each browser.
    pub profile: Option<PathBuf>,
    /// Show the window.
    pub headed: bool,
    /// The viewport in CSS pixels.
    pub viewport: (u32, u32),
    /// What pages are told of where they run.
    pub emulation: Emulation,
    /// The proxy, as an address; `None` leaves the system's.
    pub proxy: Option<String>,
    /// The DevTools endpoint of a browser that runs already and is used instead of a new one.
    pub endpoint: Option<String>,
    /// A file of cookies and local storage that a browser begins with.
    pub storage_state: Option<PathBuf>,
    /// The attribute that `testid:` looks at.
    pub test_id_attribute: String,
    /// The value of `PATH`, to look for the executable.
    pub path: Option<String>,
}

impl Default for LaunchOptions {
    fn default() -> LaunchOptions {
        LaunchOptions {
            executable: None,
            profile: None,
            headed: false,
            viewport: (1280, 720),
            emulation: Emulation::default(),
            proxy: None,
            endpoint: None,
            storage_state: None,
            test_id_attribute: "data-testid".to_owned(),
            path: None,
        }
    }
}

/// A running Chromium. Dropping it kills the process group and removes a temporary profile.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    group: Option<u32>,
    errors: Arc<Mutex<Vec<String>>>,
    profile: PathBuf,
    /// Released after the process has ended.
    _lock: Option<std::fs::File>,
    /// Removed after the process has ended.
    _profile: Option<tempfile::TempDir>,
}

/// Flags that every start gets. Nothing phones home, nothing is throttled behind another tab, nothing asks.
const FLAGS: [&str; 26] = [
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-field-trial-config",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    "--disable-features=BackForwardCache,Translate,MediaRouter,OptimizationHints,DialMediaRouteProvider,AutofillServerCommunication,CertificateTransparencyComponentUpdater",
    "--force-color-profile=srgb",
    "--metrics-recording-only",
    "--deny-permission-prompts",
    // The choice of a screen or camera to share, which would hold the page's input.
    "--use-fake-ui-for-media-stream=deny",
    "--password-store=basic",
    "--use-mock-keychain",
    "--disable-quic",
];

impl Process {
    /// Starts Chromium; answers the process and the host's ends of the pipe: what it says, and what it is told.
    #[cfg(unix)]
    pub(super) fn start(
        executable: &Path,
        options: &LaunchOptions,
    ) -> Result<(Process, tokio::net::unix::pipe::Receiver, tokio::net::unix::pipe::Sender), Error> {
        use command_fds::{CommandFdExt, FdMapping};
        use tokio::net::unix::pipe;

        let failed = |error: std::io::Error| Error::Launch { reason: format!("{}: {error}", executable.display()) };
        let (profile, temporary) = profile(options).map_err(|error| Error::Launch {
            reason: match &options.profile {
                Some(path) => format!("the profile `{}` can't be used: {error}", path.display()),
                None => format!("no temporary profile can be made: {error}"),
            },
        })?;
        let lock = lock(&profile)?;
        let (told, tell) = std::io::pipe().map_err(failed)?;
        let (hear, said) = std::io::pipe().map_err(failed)?;
        let mut command = Command::new(executable);
        command
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg(format!("--window-size={},{}", options.viewport.0, options.viewport.1))
            .args((!options.headed).then_some("--headless=new"))
            .args(options.emulation.languages().map(|languages| format!("--accept-lang={languages}")))
            // Chromium leaves this machine out by itself; what is asked of it there must go through the proxy too.
            .args(options.proxy.iter().map(|proxy| format!("--proxy-server={proxy}")))
            .args(options.proxy.as_ref().map(|_| "--proxy-bypass-list=<-loopback>"))
            // The sandbox needs user namespaces or a helper that is set-user-id; as root Chromium refuses to start with it.
            .args(rustix::process::geteuid().is_root().then_some("--no-sandbox"))
            .args(small_shared_memory().then_some("--disable-dev-shm-usage"))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        command
            .fd_mappings(vec![
                FdMapping { parent_fd: told.into(), child_fd: 3 },
                FdMapping { parent_fd: said.into(), child_fd: 4 },
            ])
            .map_err(|error| Error::Launch { reason: error.to_string() })?;
        let mut child = command.spawn().map_err(failed)?;
        // The command holds Chromium's ends of the pipes: as long as it lives, their closing isn't seen.
        drop(command);
        let errors = Arc::default();
        if let Some(stderr) = child.stderr.take() {
            tokio::spawn(keep_tail(stderr, Arc::clone(&errors)));
        }
        let process = Process { group: child.id(), child, errors, profile, _lock: lock, _profile: temporary };
        let hear = pipe::Receiver::from_owned_fd(hear.into()).map_err(failed)?;
        let tell = pipe::Sender::from_owned_fd(tell.into()).map_err(failed)?;
        Ok((process, hear, tell))
    }

    /// Windows passes pipes in another way, which is not written yet.
    #[cfg(not(unix))]
    pub(super) fn start(
        _executable: &Path,
        _options: &LaunchOptions,
    ) -> Result<(Process, tokio::io::Empty, tokio::io::Sink), Error> {
        Err(Error::Launch { reason: "the debugging pipe is not supported on this system yet".to_owned() })
    }

    /// Why it ended or doesn't answer: its exit status and the end of its error output.
    pub(super) fn post_mortem(&mut self, options: &LaunchOptions) -> Error {
        if let Some(path) = &options.profile
            && let Some(holder) = holder(path)
        {
            return Error::ProfileInUse { path: path.clone(), holder: Some(holder) };
        }
        let status = match self.child.try_wait() {
            Ok(Some(status)) => format!("it ended with {status}"),
            _ => "it does not answer".to_owned(),
        };
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let reason = if errors.is_empty() { status } else { format!("{status}\n  {}", errors.join("\n  ")) };
        Error::Launch { reason }
    }

    /// The profile directory in use.
    pub(super) fn profile(&self) -> &Path {
        &self.profile
    }

    /// Whether it has ended; known a moment before its end of the pipe is seen to close.
    pub(super) fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits for it to end by itself.
    pub(super) async fn exited(&mut self) {
        let _ = self.child.wait().await;
    }

    /// Waits for it to end by itself, then ends it with force.
    pub(super) async fn end(mut self) {
        if tokio::time::timeout(CLOSE_LIMIT, self.child.wait()).await.is_err() {
            self.kill();
            let _ = tokio::time::timeout(CLOSE_LIMIT, self.child.wait()).await;
        }
    }

    fn kill(&mut self) {
        #[cfg(unix)]
        if let Some(group) = self.group.take().and_then(|group| rustix::process::Pid::from_raw(group.cast_signed())) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.start_kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
        // The profile is removed next, and a process that still writes to it would leave a part behind.
        for _ in 0..50 {
            if !matches!(self.child.try_wait(), Ok(None)) {
                break;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

fn profile(options: &LaunchOptions) -> std::io::Result<(PathBuf, Option<tempfile::TempDir>)> {
    if let Some(profile) = &options.profile {
        std::fs::create_dir_all(profile)?;
        return Ok((std::path::absolute(profile)?, None));
    }
    sweep();
    let directory = tempfile::Builder::new().prefix(TEMPORARY).tempdir()?;
    Ok((directory.path().to_path_buf(), Some(directory)))
}

/// Chromium's own lock comes too late where two start at once: both would take the profile for free.
fn lock(profile: &Path) -> Result<Option<std::fs::File>, Error> {
    let Ok(file) = std::fs::File::create(profile.join(OWN_LOCK)) else { return Ok(None) };
    match file.try_lock() {
        Err(std::fs::TryLockError::WouldBlock) => {
            Err(Error::ProfileInUse { path: profile.to_path_buf(), holder: holder(profile) })
        }
        // Some file systems have no locks; then Chromium's has to do.
        Ok(()) | Err(std::fs::TryLockError::Error(_)) => Ok(Some(file)),
    }
}

/// Removes temporary profiles, cookies included, of hosts that were killed: those whose browser is gone.
fn sweep() {
    let Ok(entries) = std::fs::read_dir(std::env::temp_dir()) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(TEMPORARY)) {
        // Without a lock its browser may be about to start.
        if entry.path().join(LOCK).is_symlink() && holder(&entry.path()).is_none() {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Who holds a profile: Chromium's lock is a symbolic link to `HOST-PID`.
fn holder(profile: &Path) -> Option<String> {
    let target = std::fs::read_link(profile.join(LOCK)).ok()?;
    let target = target.to_str()?;
    let (host, pid) = target.rsplit_once('-')?;
    let alive = !Path::new("/proc").is_dir() || Path::new("/proc").join(pid).exists();
    alive.then(|| format!("process {pid} on {host}"))
}

/// Chromium keeps bitmaps in shared memory; containers often give 64 MiB, and pages crash.
fn small_shared_memory() -> bool {
    #[cfg(target_os = "linux")]
    if let Ok(status) = rustix::fs::statvfs("/dev/shm") {
        return status.f_blocks.saturating_mul(status.f_frsize) < 256 * 1024 * 1024;
    }
    false
}

async fn keep_tail(stderr: impl tokio::io::AsyncRead + Unpin, tail: Arc<Mutex<Vec<String>>>) {
    let mut lines = BufReader::new(stderr).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        tracing::trace!(target: "chromium", "{line}");
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        if tail.len() == TAIL {
            tail.remove(0);
        }
        tail.push(line);
    }
}
