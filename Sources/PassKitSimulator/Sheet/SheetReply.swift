/// Waits for the app's answer to one callback: the first one counts, a second is a fault, and so is none at all.
@MainActor
final class SheetReply<Answer> {
    private let callback: String
    private let device: SimulatedDevice
    private var waiting: CheckedContinuation<Void, Never>?
    private var timeout: Task<Void, Never>?
    private(set) var answer: Answer?
    private var isClosed = false
    private var isAbandoned = false

    init(callback: String, device: SimulatedDevice) {
        self.callback = callback
        self.device = device
    }

    /// Calls the app, then waits for its handler or for the time-out, whichever comes first. Nil after a time-out.
    func wait(atMost limit: Duration, calling app: (@escaping (Answer) -> Void) -> Void) async -> Answer? {
        app { self.receive($0) }
        if answer == nil, !isClosed {
            let timer = device.timer
            timeout = Task { [weak self] in
                do { try await timer.sleep(limit) } catch { return }
                self?.expire()
            }
            await withCheckedContinuation { waiting = $0 }
            timeout?.cancel()
        }
        return answer
    }

    /// The sheet went away while the app was still thinking: nothing is expected any more, and nothing is a fault.
    func abandon() {
        isAbandoned = true
        close()
    }

    private func receive(_ value: Answer) {
        if isAbandoned { return }
        if answer != nil { return device.record(.answeredTwice, "\(callback): the handler was called a second time") }
        if isClosed { return device.record(.answeredLate, "\(callback): the handler was called after the sheet had given up") }
        answer = value
        close()
    }

    private func expire() {
        guard !isClosed else { return }
        device.record(.unanswered, "\(callback): the handler was not called in time")
        close()
    }

    private func close() {
        isClosed = true
        waiting?.resume()
        waiting = nil
    }
}
