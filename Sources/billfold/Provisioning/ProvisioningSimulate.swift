import ApplePay
import ApplePayApp
import ArgumentParser
import AsyncHTTPClient
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldSandbox
import BillfoldServer
import Foundation
import PassKitSimulator

/// `billfold provisioning simulate`: one card into one device, with every party played on this machine.
struct ProvisioningSimulate: AsyncParsableCommand {
    /// Which history the broker holds about the account. What becomes of the card follows from it.
    enum History: String, ExpressibleByArgument, CaseIterable {
        case trusted, moved, risky, fresh

        var account: DemoDevice.Account {
            switch self {
            case .trusted: .trusted
            case .moved: .moved
            case .risky: .risky
            case .fresh: .fresh
            }
        }

        /// The history that leads to a colour, as the parties decide today.
        init(colour: DecisionColour) {
            self =
                switch colour {
                case .green: .trusted
                case .yellow: .moved
                case .orange: .risky
                case .red: .fresh
                }
        }
    }

    enum Network: String, ExpressibleByArgument, CaseIterable { case visa, mastercard, unionPay }
    enum Device: String, ExpressibleByArgument, CaseIterable { case phone, tablet, watch }

    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Add one card to one device, with every party on this machine, and print their messages.",
        discussion: """
            The colour is chosen by choosing an account: trusted is green, moved yellow, risky orange, fresh red. No party is told a \
            colour; each decides by what it holds. A fault is PARTY:MESSAGE:FAULT, with the party broker, card-network or processor, and \
            the fault request-lost, request-doubled, request-refused, reply-lost or reply-late; for example broker:cards:reply-lost. It \
            befalls the first such message. \
            Exits with 1, and says in "error" what came instead, when the colour that was asked for did not come about or a fault met no \
            message.
            """)

    @Option(help: "visa, mastercard or unionPay.") var network = Network.visa
    @Option(help: "The account's history: trusted, moved, risky or fresh.") var account: History?
    @Option(help: "Instead of an account: the one that leads to green, yellow, orange or red.") var colour: String?
    @Option(help: "phone, tablet or watch.") var device = Device.phone
    @Option(help: "What goes wrong; may be given several times.") var fault: [String] = []
    @Flag(help: "Prove a yellow card with the code that is sent by text.") var verify = false
    @Option(help: .hidden) var executable: String?
    @OptionGroup var format: AlwaysJSON

    private struct Report: Encodable {
        struct Message: Encodable {
            var from: String
            var to: String
            var kind: String
            var title: String
            var fields: [String: String]
            var problem: String?
        }
        struct Pass: Encodable {
            var serialNumber: String
            var state: String
            var primaryAccountNumberSuffix: String
            var deviceAccountNumberSuffix: String
        }
        var network: String
        var account: String
        var device: String
        var faults: [String]
        /// What the app may tell the customer.
        var outcome: String
        /// Why nothing was added, as the app knows it.
        var code: String?
        /// As the votes came out; absent where nobody came to vote.
        var colour: String?
        var pass: Pass?
        var messages: [Message]
        /// What was asked for and did not come about.
        var error: Unmet?
    }

    private struct Unmet: Encodable {
        var code: String
        var reason: String
    }

    func run() async throws {
        do {
            let report = try await simulate()
            print(TourReport.json(report))
            if report.error != nil { throw ExitCode(1) }
        } catch { throw CommandFailure.ended(error, asJSON: true) }
    }

    /// Who voted what, and why.
    private static func votes(_ report: Report) -> String {
        let fields = report.messages.last { $0.title == "votes counted" }?.fields ?? [:]
        let votes = fields.filter { $0.key != "decision" }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return votes.isEmpty ? "" : " (\(votes.joined(separator: "; ")))"
    }

    /// What was asked for in vain, and what came instead.
    private func unmet(_ report: Report, faults: [Fault]) -> Unmet? {
        var found: [Unmet] = []
        if let colour, report.colour != colour {
            let came = report.colour.map { "the parties decided \($0)\(Self.votes(report))" } ?? "nobody came to vote"
            let code = report.code.map { ", \($0)" } ?? ""
            found.append(
                Unmet(code: "colour-not-met", reason: "\(colour) was asked for, and \(came); the outcome is \(report.outcome)\(code)"))
        }
        for fault in faults {
            found.append(
                Unmet(
                    code: "fault-not-met",
                    reason:
                        "\(fault.fault.rawValue) befell nothing: no \(fault.operation) came by at \(fault.party); the outcome is \(report.outcome)"))
        }
        return found.first.map { Unmet(code: $0.code, reason: found.map(\.reason).joined(separator: "; ")) }
    }

    private func chosenHistory() throws -> History {
        switch (account, colour) {
        case (let account?, nil): return account
        case (nil, nil): return .trusted
        case (nil, let text?):
            guard let colour = DecisionColour(rawValue: text) else {
                throw CommandFailure(.usage, code: "colour-unknown", reason: "the colours are green, yellow, orange and red")
            }
            return History(colour: colour)
        default: throw CommandFailure(.usage, code: "account-twice", reason: "say --account or --colour, not both")
        }
    }

    private func simulate() async throws -> Report {
        let history = try chosenHistory()
        let faults = try fault.map { try Fault($0) }
        guard Set(faults.map { [$0.party, $0.operation] }).count == faults.count else {
            throw CommandFailure(.usage, code: "fault-twice", reason: "one message takes one fault")
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("billfold-simulate-\(SystemRandomness.name())").path
        let data = try DataFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let ports = try FreePorts.find(3).map { "127.0.0.1:\($0)" }
        let parties = try PartyProcess(
            name: "parties", executable: executable ?? PartyProcess.ownExecutable(),
            arguments: [
                "serve", "--roles", "provisioning,console,broker,card-network,card-processor", "--data", folder, "--log", "json",
                "--listen", ports[0], "--console", ports[1], "--sandbox", ports[2],
            ], address: "http://\(ports[0])", errors: folder + "/parties.log")
        do {
            try await parties.untilReady()
            for fault in faults { try await fault.set(at: "http://\(ports[2])") }
            var report = try await play(history, at: ports.map { "http://\($0)" }, bankKey: try IssuerInstallation.bankKey(in: data))
            var pending: [Fault] = []
            for fault in faults where try await fault.isPending(at: "http://\(ports[2])") { pending.append(fault) }
            report.error = unmet(report, faults: pending)
            await parties.stop()
            return report
        } catch {
            await parties.stop()
            throw error
        }
    }

    @MainActor
    private func play(_ history: History, at origins: [String], bankKey: Secret<String>) async throws -> Report {
        let (issuer, console, sandbox) = (origins[0], origins[1], origins[2])
        let trace = ConsoleReporter(console: console)
        defer { trace.end() }
        func connection(_ origin: String) -> HTTPMerchantConnection {
            HTTPMerchantConnection(origin: origin, client: .shared, limitSeconds: 60)
        }
        let kind = DeviceKind(rawValue: device.rawValue) ?? .phone
        let phone = ProvisioningPhone(
            kind == .tablet ? .tablet : .phone, account: history.account.rawValue,
            parties: .init(
                issuer: connection(issuer), broker: connection(sandbox), processor: connection(sandbox), bankKey: bankKey),
            reporter: trace.reporter)
        let addition: ProvisioningPhone.Addition
        do {
            addition = try await phone.add(network.rawValue, to: kind, method: verify ? "TEXT_TO_CARDHOLDER_NUMBER" : nil)
        } catch let refusal as SandboxRefusal {
            throw CommandFailure(.refused, code: refusal.code, reason: refusal.reason)
        }
        await trace.flush()
        var messages: [Report.Message] = []
        if let attempt = addition.attempt { messages = try await Self.story(console, attempt) }
        var report = Report(
            network: network.rawValue, account: history.account.rawValue, device: device.rawValue, faults: fault, outcome: "",
            colour: messages.last { $0.title == "votes counted" }?.fields["decision"],
            pass: addition.pass.map {
                .init(
                    serialNumber: $0.serialNumber, state: "\($0.activationState)",
                    primaryAccountNumberSuffix: $0.primaryAccountNumberSuffix, deviceAccountNumberSuffix: $0.deviceAccountNumberSuffix)
            }, messages: messages)
        switch addition.outcome {
        case .added: report.outcome = "active"
        case .pendingActivation: report.outcome = "pending"
        case .cancelled: report.outcome = "cancelled"
        case .unknown(let error):
            report.outcome = "unknown"
            report.code = error.code.description
        case .failed(let error):
            report.outcome = "failed"
            report.code = error.serverCode ?? error.code.description
        }
        return report
    }

    /// The attempt's messages, once the story stands still: parties report a moment later.
    private static func story(_ console: String, _ attempt: String) async throws -> [Report.Message] {
        struct Story: Decodable {
            struct Entry: Decodable {
                struct Field: Decodable {
                    var name: String
                    var value: String
                }
                var from: String
                var to: String
                var kind: String
                var title: String
                var fields: [Field]
                var problem: String?
            }
            var entries: [Entry]
        }
        var entries: [Story.Entry] = []
        for _ in 0..<50 {
            try await Task.sleep(for: .milliseconds(300))
            let answer = try await TourClient.get("\(console)/api/stories/\(attempt)")
            guard answer.status == 200 else { continue }
            let now = try answer.read(Story.self).entries
            if !now.isEmpty, now.count == entries.count { break }
            entries = now
        }
        return entries.map { entry in
            .init(
                from: entry.from, to: entry.to, kind: entry.kind, title: entry.title,
                fields: Dictionary(entry.fields.map { ($0.name, $0.value) }) { first, _ in first }, problem: entry.problem)
        }
    }

    /// What is to go wrong, by name.
    private struct Fault {
        var party: String
        var operation: String
        var fault: PartyFault.Kind

        init(_ text: String) throws {
            let parts = text.split(separator: ":").map(String.init)
            guard parts.count == 3, ["broker", "card-network", "processor"].contains(parts[0]),
                let fault = PartyFault.Kind(word: parts[2])
            else {
                throw CommandFailure(
                    .usage, code: "fault-unknown",
                    reason: "a fault is PARTY:MESSAGE:FAULT, such as broker:cards:reply-lost, not '\(text)'")
            }
            (party, operation, self.fault) = (parts[0], parts[1], fault)
        }

        func set(at sandbox: String) async throws {
            let answer = try await TourClient.put("\(sandbox)/\(party)/control/faults/\(operation)", PartyFault(fault))
            guard answer.status == 204 else {
                throw CommandFailure(.usage, code: "fault-unknown", reason: "\(party) takes no message called \(operation)")
            }
        }

        /// Whether it still waits for its message. What parties send by themselves may come a moment after the customer is done.
        func isPending(at sandbox: String) async throws -> Bool {
            for _ in 0..<10 {
                if try await TourClient.get("\(sandbox)/\(party)/control/faults/\(operation)").status == 404 { return false }
                try await Task.sleep(for: .milliseconds(200))
            }
            return true
        }
    }
}
