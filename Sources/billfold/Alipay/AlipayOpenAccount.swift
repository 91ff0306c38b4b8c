import ArgumentParser
import BillfoldDiagnosis
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import Foundation
import Logging
import WalletServer

/// `alipay open-account`.
struct AlipayOpenAccount: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open-account", abstract: "Open a customer's account in the wallet, frozen and empty.",
        discussion: """
            Nobody can log in or pay before two persons have thawed it: one asks for wallet-thaw in the console, another approves. Money \
            comes in likewise, by wallet-top-up. Passwords stand in files, on the first line, never on the command line.
            """)

    @Option(help: "The account's number: 16 digits that begin with 2088.") var number: String
    @Option(help: "The customer's name.") var name: String
    @Option(help: "The e-mail address that the customer logs in with.") var email: String
    @Option(help: "The telephone number that the customer logs in with.") var phone: String
    @Option(help: "The file of the login password: 8 characters or more.") var loginPasswordFile: String
    @Option(help: "The file of the payment password: six digits.") var paymentPasswordFile: String
    @OptionGroup var store: RoleStore

    /// A wallet that only changes its own books sends nothing.
    private struct Mute: HTTPSender, TraceSink {
        func send(_ request: OutgoingRequest) async throws(SendFailure) -> OutgoingAnswer {
            throw SendFailure(code: .notConnected, reason: "this command sends nothing", mayHaveArrived: false)
        }
        func record(_ entry: TraceEntry) {}
    }

    func run() async throws {
        try await store.answer {
            let login = Secret(try CommandFile.firstLine(loginPasswordFile))
            let payment = Secret(try CommandFile.firstLine(paymentPasswordFile))
            let names = [
                "audit.key", "hashing.key", WalletCapability.LinkKey.toGateway.rawValue, WalletCapability.LinkKey.fromGateway.rawValue,
            ]
            let folder = try store.folder(holding: names, refusing: "wallet-keys-missing")
            try await store.with(
                variable: WalletCapability.databaseVariable, file: WalletCapability.fileName, kind: .wallet
            ) { database in
                let mode: ServerMode = try await StoreMode.of(database) == .production ? .production : .test
                // The address is never called.
                let configuration = try WalletCapability.configuration(folder, mode, gateway: "https://gateway.invalid")
                // A row under another key would break the trail for good.
                let audit = ChainedOperatorAudit(links: try folder.auditChain(), owner: configuration.owner)
                guard try await audit.verify(in: database) != .broken(sequence: 1) else {
                    throw CommandFailure(
                        .refused, code: "audit-key-mismatch", reason: "the audit trail is not under \(folder.path)'s audit.key: see --data")
                }
                let (start, mute) = (ContinuousClock.now, Mute())
                let server = try WalletServer(
                    configuration: configuration, database: database, http: mute, trace: mute,
                    identifiers: .system, random: SystemRandomness.source,
                    surroundings: ServerSurroundings(
                        logger: Logger(label: "billfold.alipay") { StreamLogHandler.standardError(label: $0) }, clock: SystemClock(),
                        uptime: { ContinuousClock.now - start }))
                try await server.backOffice.openAccount(
                    number: number, name: name, email: email, phone: phone, loginPassword: login, paymentPassword: payment,
                    isFrozen: true, by: "account:\(NSUserName())")
            }
            return store.json
                ? try DatabaseAnswer.encode(["account": number, "state": "frozen"])
                : "account \(number) is open and frozen: two persons thaw it in the console"
        }
    }
}
