import BillfoldDiagnosis
import BillfoldSandbox
import BillfoldServer
import BillfoldStorage
import Foundation
import Logging

/// Every finished journey, once through, over sockets.
struct Tour: Sendable {
    let flip: Flip?
    let executable: String
    /// Told of every step as it ends.
    let progress: @Sendable (TourReport.Step) -> Void

    /// Runs every step of every journey; a damaged message's journey alone. The first step that fails ends the tour; the processes are
    /// stopped in any case.
    func run() async throws -> TourReport {
        var report = TourReport()
        report.flip = flip?.name
        let tally = TamperingProxy.Tally()
        for journey in Flip.Journey.allCases where flip.map({ $0.link.journey == journey }) ?? true {
            guard report.passed || report.steps.isEmpty else { break }
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("billfold-tour-\(SystemRandomness.name())").path
            let data = try DataFolder(folder)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let start = ContinuousClock.now
            let surroundings = ServerSurroundings(
                logger: Logger(label: "tour") { _ in SwiftLogNoOpLogHandler() }, clock: SystemClock(),
                uptime: { ContinuousClock.now - start })
            switch journey {
            case .acceptance: await acceptance(in: data, tally: tally, surroundings: surroundings, report: &report)
            case .provisioning: await provisioning(in: data, tally: tally, surroundings: surroundings, report: &report)
            case .expressOrder: await expressOrder(in: data, tally: tally, surroundings: surroundings, report: &report)
            case .paymentSheet: await paymentSheet(in: data, tally: tally, surroundings: surroundings, report: &report)
            case .miniProgram: await miniProgram(in: data, tally: tally, surroundings: surroundings, report: &report)
            }
        }
        report.flipped = flip == nil ? nil : tally.count
        return report
    }

    private func acceptance(
        in data: DataFolder, tally: TamperingProxy.Tally, surroundings: ServerSurroundings, report: inout TourReport
    ) async {
        var parties: TourParties?
        var proxying: Task<Void, any Error>?
        await step("start", in: &report) {
            let started = try await TourParties.start(
                executable: executable, folder: data.path, flip: flip, tally: tally, surroundings: surroundings)
            parties = started.0
            proxying = started.1
            return "\(started.0.processes.count) parties, each in a process of its own"
        }
        if let parties {
            await journey(parties, in: data, report: &report)
            await step("stop", in: &report) {
                // Also when the tour was cancelled, whose own pauses no longer wait.
                let stopped = await Task { try await parties.stop() }.result
                _ = try? await proxying?.value
                try stopped.get()
                return "every process ended"
            }
        }
    }

    private func provisioning(
        in data: DataFolder, tally: TamperingProxy.Tally, surroundings: ServerSurroundings, report: inout TourReport
    ) async {
        var parties: ProvisioningTourParties?
        var operators: TourOperators?
        await step("provision: start", in: &report) {
            operators = try await TourOperators.install(in: data, surroundings)
            let started = try await ProvisioningTourParties.start(
                executable: executable, folder: data.path, flip: flip, tally: tally, surroundings: surroundings)
            parties = started
            return "\(started.processes.count) parties, each in a process of its own"
        }
        guard let parties, let operators else { return }
        do {
            let steps = await ProvisioningTourSteps(
                addresses: parties.addresses, bankKey: try IssuerInstallation.bankKey(in: data).reveal(), operators: operators)
            for (name, work) in await steps.all where report.passed { await step("provision: \(name)", in: &report, work) }
        } catch {
            await step("provision: key", in: &report) { throw error }
        }
        await step("provision: stop", in: &report) {
            try await Task { try await parties.stop() }.value
            return "every process ended"
        }
    }

    private func expressOrder(
        in data: DataFolder, tally: TamperingProxy.Tally, surroundings: ServerSurroundings, report: inout TourReport
    ) async {
        await journey("express order", &report) {
            try await AlipayTourParties.start(
                executable: executable, folder: data.path, flip: flip, tally: tally, surroundings: surroundings)
        } steps: { parties in
            let steps = AlipayTourSteps(addresses: parties.addresses, folder: data)
            return (steps.all, steps.end)
        }
    }

    private func paymentSheet(
        in data: DataFolder, tally: TamperingProxy.Tally, surroundings: ServerSurroundings, report: inout TourReport
    ) async {
        await journey("payment sheet", &report) {
            try await PlusTourParties.start(
                executable: executable, folder: data.path, flip: flip, tally: tally, surroundings: surroundings)
        } steps: { parties in
            let reports = PlusTourReports(executable: executable, folder: data.path, gateway: parties.gateway)
            let steps = PlusTourSteps(addresses: parties.addresses, makeReports: { try await reports.make($0) })
            return (steps.all, steps.end)
        }
    }

    private func miniProgram(
        in data: DataFolder, tally: TamperingProxy.Tally, surroundings: ServerSurroundings, report: inout TourReport
    ) async {
        await journey("mini program", &report) {
            try await MiniProgramTourParties.start(
                executable: executable, folder: data.path, flip: flip, tally: tally, surroundings: surroundings)
        } steps: { parties in
            let steps = MiniProgramTourSteps(addresses: parties.addresses, folder: data)
            return (steps.all, steps.end)
        }
    }

    private typealias Step = (name: String, work: @Sendable () async throws -> String)

    /// Starts the parties, takes the journey's steps until one fails, and stops the parties in any case.
    private func journey<Parties: JourneyParties>(
        _ name: String, _ report: inout TourReport, start: () async throws -> Parties,
        steps: (Parties) -> (all: [Step], end: @Sendable () async throws -> Void)
    ) async {
        var running: Parties?
        await step("\(name): start", in: &report) {
            let started = try await start()
            running = started
            return "\(started.processes.count) parties, each in a process of its own"
        }
        guard let parties = running else { return }
        let (all, end) = steps(parties)
        for (title, work) in all where report.passed { await step("\(name): \(title)", in: &report, work) }
        await step("\(name): stop", in: &report) {
            try await Task { try await end() }.value
            try await Task { try await parties.stop() }.value
            return "every process ended"
        }
    }

    private func step(_ name: String, in report: inout TourReport, _ body: () async throws -> String) async {
        let start = ContinuousClock.now
        let outcome: String
        var passed = true
        do { outcome = try await body() } catch {
            outcome = CommandFailure(error).description
            passed = false
        }
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        let step = TourReport.Step(
            name: name, outcome: outcome, milliseconds: seconds * 1_000 + attoseconds / 1_000_000_000_000_000, passed: passed)
        report.steps.append(step)
        progress(step)
    }

    private func journey(_ parties: TourParties, in folder: DataFolder, report: inout TourReport) async {
        guard let bytes = folder.bytes("api.key") else {
            await step("key", in: &report) {
                throw CommandFailure(.refused, code: "key-missing", reason: "the merchant's server made no API key")
            }
            return
        }
        let steps = TourSteps(addresses: parties.addresses, apiKey: String(decoding: bytes, as: UTF8.self))
        var paid: [MerchantPayment] = []
        for purchase in TourSteps.purchases where report.passed {
            await step(purchase.name, in: &report) {
                let payment = try await steps.pay(purchase)
                paid.append(payment)
                return "\(payment.amount) \(payment.currency) paid, \(payment.acquirerReference ?? "")"
            }
        }
        if report.passed {
            await step(TourSteps.clientPurchase.name, in: &report) {
                let payment = try await steps.payByClient()
                paid.append(payment)
                return "\(payment.amount) \(payment.currency) paid, \(payment.acquirerReference ?? "")"
            }
        }
        if report.passed, let first = paid.first {
            await step("refund in parts", in: &report) { try await steps.refundInParts(first) }
        }
        if report.passed { await step("notifications", in: &report) { try await steps.readNotifications(of: paid) } }
        if report.passed { await step("settlement", in: &report) { try await steps.settle() } }
        if report.passed { await step("books", in: &report) { try await steps.compareBooks(paid) } }
        if report.passed { await step("trace", in: &report) { try await steps.readTrace(of: paid) } }
    }
}
