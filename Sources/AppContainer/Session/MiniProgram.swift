public import BillfoldJSON
import MiniPrograms

/// A mini program that runs in this process, in an engine and on a thread of its own.
///
/// A loop that never ends is ended after ``ContainerLimits/turn``. What shares the process's memory is limited by nothing: a script
/// that is not trusted runs in a ``WorkerProgram``.
public final class MiniProgram: Sendable {
    /// Confined to the program's thread.
    private final class Place: @unchecked Sendable {
        // Read and written by jobs of one thread only.
        var core: ProgramCore?
    }

    /// Timers on the program's own thread.
    private final class ThreadTimers: TimerSource, @unchecked Sendable {
        // Both members are set before the thread has its first job.
        let thread: ProgramThread
        let place: Place
        init(thread: ProgramThread, place: Place) { (self.thread, self.place) = (thread, place) }

        func start(_ id: Int, after milliseconds: Double) {
            thread.post(after: milliseconds, id: id) { [place] in place.core?.timer(id) }
        }

        func cancel(_ id: Int) { thread.cancel(id: id) }
    }

    private let thread: ProgramThread
    private let place = Place()
    private let host: any JSAPIHost

    /// Starts the thread; the script begins with ``launch(_:)``.
    public init(_ setup: MiniProgramSetup) {
        host = setup.host
        let thread = ProgramThread(name: setup.identity.appID)
        self.thread = thread
        thread.post { [place] in
            let inbox = ProgramInbox { thread.post { place.core?.pump() } }
            do throws(AppContainerError) {
                place.core = try ProgramCore(setup, inbox: inbox, timers: ThreadTimers(thread: thread, place: place))
            } catch {
                setup.host.observe(.ended(error))
            }
        }
    }

    deinit { end() }

    /// Opens it; a page that there is not ends the run with `unknown-page`.
    public func launch(_ options: LaunchOptions = LaunchOptions()) {
        act { (supervisor) throws(AppContainerError) in try supervisor.launch(options) }
    }

    /// A link led to it while it runs (mini-programs.md#re-entry).
    public func reopen(_ options: LaunchOptions) {
        act { (supervisor) throws(AppContainerError) in try supervisor.reopen(options) }
    }

    /// The person went back to the page before; on the first page nothing happens, and the host closes the mini program.
    public func back() { act { $0.back() } }

    /// The person came back to it without a link: options are not told again (mini-programs.md#re-entry).
    public func show() { act { $0.show() } }
    /// It went to the background: the script is told, and is not ended.
    public func hide() { act { $0.hide() } }

    /// Calls a method of the page on top, as its view does.
    ///
    /// - Parameters:
    ///   - handler: The method's name; one that there is not is a warning.
    ///   - values: The arguments: one event object from built-in components, anything from others.
    ///   - node: A component's number; 0 for the page.
    ///   - isTap: Whether a person did it. Only the host knows.
    public func trigger(_ handler: String, _ values: [JSONValue] = [], node: Int = 0, isTap: Bool = false) {
        act { $0.event(handler, values, node: node, isTap: isTap) }
    }

    /// A person tapped in a page of a web view, which no method of the script is called for. Only the host knows.
    public func tapped() { act { $0.tapped() } }

    /// What the view knows of components: `mount`, `mounted`, `props` and `unmount` with the members that `docs` describe.
    public func componentChanged(_ kind: ComponentChange) {
        act { $0.component(kind) }
    }

    /// Tells the listeners of `my.on`, such as `networkStatusChange`.
    public func emit(_ event: String, _ data: JSONValue = .null) { act { $0.emit(event, data) } }

    /// A page in a web view calls. `origin` is that of the main frame, as the web view gives it.
    public func callFromWebPage(_ name: String, _ arguments: JSONValue, origin: String) async -> JSAPIAnswer {
        await withCheckedContinuation { continuation in
            thread.post { [place] in
                guard let core = place.core, core.supervisor?.isOver == false else {
                    return continuation.resume(returning: .failure(JSAPIFailure(.unknown, "the mini program has ended")))
                }
                try? core.act { $0.callFromWebPage(name, arguments, origin: origin) { continuation.resume(returning: $0) } }
            }
        }
    }

    /// Ends the run and gives its memory back.
    public func end() {
        thread.post { [place, thread] in
            place.core?.supervisor?.stop(nil)
            place.core?.end()
            place.core = nil
            thread.end()
        }
    }

    private func act(_ body: @escaping @Sendable (ProgramSupervisor) throws(AppContainerError) -> Void) {
        thread.post { [place] in
            guard let core = place.core else { return }
            do throws(AppContainerError) {
                try core.act(body)
            } catch {
                core.supervisor?.stop(error)
                core.end()
            }
        }
    }
}
