import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import HTTPTypes

/// Reports what this host says and hears, decoded and masked: never a card number, a key or a code.
struct ProvisioningTrace: ExchangeReporter {
    let sink: any TraceSink
    let clock: any WallClock
    let identifiers: IdentifierSource
    let mode: ServerMode

    static let app: Party = "bank-app"
    static let issuer: Party = "issuer"
    /// The bank's back end, which the journey shows as the app that it serves.
    static let bank = app
    static let own = issuer
    static let network: Party = "network"
    static let processor: Party = "processor"
    /// The bank's own sender of pushes. In the sandbox the processor plays it beside.
    static let pushSender: Party = "push-sender"

    /// The attempt that a test's device names; nothing is decided by it.
    static let attemptHeader = "X-Billfold-Attempt"
    private static let attemptName = HTTPField.Name(attemptHeader)

    /// The attempt that a request belongs to, in test mode.
    func attempt(_ headers: HTTPFields) -> [String: String] {
        guard mode == .test, let name = Self.attemptName, let attempt = headers[name], Exchange.isName(attempt) else {
            return [:]
        }
        return ["provisioning.attempt": attempt]
    }
}
