import NIOCore

/// A deadline of one connection that moves as the connection comes further.
///
/// A timer is never cancelled, for the event loop would search all its timers for it. It looks whether its deadline still stands, and looks
/// again when there is a later one. Used on the event loop only.
final class MovingDeadline {
    /// `nil` while nothing is due.
    private(set) var instant: NIODeadline?
    private var nextLook: NIODeadline?
    private let eventLoop: any EventLoop
    private let expire: () -> Void

    /// - Parameter expire: Called at the deadline, which then is none any more. Holds its owner weakly.
    init(on eventLoop: any EventLoop, expire: @escaping () -> Void) {
        self.eventLoop = eventLoop
        self.expire = expire
    }

    func move(to instant: NIODeadline?) {
        self.instant = instant
        guard let instant, nextLook.map({ instant < $0 }) ?? true else { return }
        nextLook = instant
        eventLoop.assumeIsolated().scheduleTask(deadline: instant) { [weak self] in self?.look() }
    }

    private func look() {
        let now = NIODeadline.now()
        if let nextLook, nextLook <= now { self.nextLook = nil }
        guard let instant else { return }
        guard instant <= now else { return move(to: instant) }
        self.instant = nil
        expire()
    }
}
