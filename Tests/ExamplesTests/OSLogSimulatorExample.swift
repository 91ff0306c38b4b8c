import OSLogSimulator
import Testing

struct OSLogSimulatorExample {
    // Example
    /// The shop's code, as it is on a phone.
    func pay(_ order: String, with token: String) {
        let logger = Logger(subsystem: "com.example.shop", category: "payment")
        logger.info("order \(order, privacy: .public) is paid with \(token)")
    }

    /// What was said of a payment.
    func said() -> [String] {
        let log = SimulatedLog()
        SimulatedLog.$bound.withValue(log) { pay("A-1", with: "secret") }
        return log.entries.map(\.message)
    }
    // End

    @Test func example() {
        #expect(said() == ["order A-1 is paid with <private>"])
    }
}
