import BillfoldConcurrency

/// Waits for the app's answer to one callback: the first one counts, a second is a fault, and so is none at all.
///
/// The app may answer from any thread, as on a device.
final class SheetReply<Answer>: Sendable {
    private struct State {
        /// Read by the sheet alone, on the main actor.
        var given: HandedOver<Answer>?
        var isClosed = false
        var isAbandoned = false
        var waiting: CheckedContinuation<Void, Never>?

        /// Who waits is the caller's to wake, once the lock is free again.
        mutating func close() -> CheckedContinuation<Void, Never>? {
            isClosed = true
            defer { waiting = nil }
            return waiting
        }
    }

    private enum Fault { case second, late }

    private let callback: String
    private let device: SimulatedDevice
    private let state = Locked(State())

    init(callback: String, device: SimulatedDevice) {
        self.callback = callback
        self.device = device
    }

    /// Calls the app, then waits for its handler or for the time-out, whichever comes first. Nil after a time-out.
    @MainActor
    func wait(atMost limit: Duration, calling app: (@escaping @Sendable (Answer) -> Void) -> Void) async -> Answer? {
        app { self.receive(HandedOver($0)) }
        if !state.withLock({ $0.isClosed }) {
            let timer = device.timer
            let timeout = Task { [weak self] in
                do { try await timer.sleep(limit) } catch { return }
                self?.expire()
            }
            await withCheckedContinuation { continuation in
                let isClosed = state.withLock { state in
                    if !state.isClosed { state.waiting = continuation }
                    return state.isClosed
                }
                if isClosed { continuation.resume() }
            }
            timeout.cancel()
        }
        return state.withLock { $0.given }?.value
    }

    /// The sheet went away while the app was still thinking: nothing is expected any more, and nothing is a fault.
    func abandon() {
        let waiting = state.withLock { state in
            state.isAbandoned = true
            return state.close()
        }
        waiting?.resume()
    }

    private func receive(_ given: HandedOver<Answer>) {
        let (fault, waiting) = state.withLock { state -> (Fault?, CheckedContinuation<Void, Never>?) in
            if state.isAbandoned { return (nil, nil) }
            if state.given != nil { return (.second, nil) }
            if state.isClosed { return (.late, nil) }
            state.given = given
            return (nil, state.close())
        }
        switch fault {
        case .second?: device.record(.answeredTwice, "\(callback): the handler was called a second time")
        case .late?: device.record(.answeredLate, "\(callback): the handler was called after the sheet had given up")
        case nil: waiting?.resume()
        }
    }

    private func expire() {
        let (isLate, waiting) = state.withLock { state in (!state.isClosed, state.close()) }
        guard isLate else { return }
        device.record(.unanswered, "\(callback): the handler was not called in time")
        waiting?.resume()
    }
}
