import BillfoldServer
import Foundation

@main
struct Bench {
    /// `billfold-bench` measures everything; `billfold-bench token|sealing|pass-data|transition|payment|alipay|sheet|consent|mini-program|memory …`
    /// the parts that are named; `billfold-bench compare PART PROGRAM …` holds other builds of it against this one.
    static func main() async throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.count == 2, try await serve(arguments[0], URL(filePath: arguments[1])) { return }
        if arguments.isEmpty {
            arguments = ["token", "sealing", "pass-data", "transition", "payment", "alipay", "sheet", "consent", "mini-program", "memory"]
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "billfold-bench-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let holds: Bool
        do {
            holds = try await run(arguments, folder)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
        try? FileManager.default.removeItem(at: folder)
        if !holds { exit(1) }
    }

    /// Runs a process that is measured, its threads scheduled as those of `billfold serve`. Returns false where the name is none of one.
    private static func serve(_ name: String, _ folder: URL) async throws -> Bool {
        let processes: [String: () async throws -> Void] = [
            "server": { try await ServerProcess(folder: folder).run() },
            "pass-data-server": { try await PassDataProcess(folder: folder).run() },
            "order-gateway": { try await OrderGatewayProcess(folder: folder).run() },
            "acquiring-gateway": { try await AcquiringGatewayProcess(folder: folder).run() },
            "super-app": { try await SuperAppProcess(folder: folder).run() },
        ]
        guard let process = processes[name] else { return false }
        guard ThreadScheduling.throughput.apply() else {
            throw MeasuredProcess.Failure(reason: "the system lets no thread be scheduled for throughput")
        }
        try await process()
        return true
    }

    private static func run(_ parts: [String], _ folder: URL) async throws -> Bool {
        if parts.first == "compare" {
            let programs = Array(parts.dropFirst(2))
            switch parts.dropFirst().first {
            case "pass-data" where !programs.isEmpty: try await PassDataBenchmark(folder: folder).compare(with: programs)
            case "payment" where !programs.isEmpty: try await PaymentBenchmark(folder: folder).compare(with: programs)
            case "alipay" where !programs.isEmpty: try await ExpressOrderBenchmark(folder: folder).compare(with: programs)
            case "sheet" where !programs.isEmpty: try await SheetPaymentBenchmark(folder: folder).compare(with: programs)
            case "consent" where !programs.isEmpty: try await ConsentBenchmark(folder: folder).compare(with: programs)
            default:
                print("compare takes pass-data, payment, alipay, sheet or consent, and the paths of other builds of this program")
                return false
            }
            return true
        }
        var holds = true
        for part in parts {
            switch part {
            case "token":
                holds =
                    report(
                        try TokenBenchmark(leaves: 64).run("EC_v1 token, cached intermediate, a leaf not seen before", verifiesLeaf: true))
                    && holds
                holds =
                    report(
                        try TokenBenchmark(leaves: 1).run("EC_v1 token, leaf known from an earlier token", verifiesLeaf: false)) && holds
            case "sealing": holds = report(try ProvisioningSealingBenchmark().run()) && holds
            case "pass-data": holds = try await PassDataBenchmark(folder: folder).run() && holds
            case "transition": holds = report(try await TransitionBenchmark(folder: folder).run()) && holds
            case "payment": holds = try await PaymentBenchmark(folder: folder).run() && holds
            case "alipay": holds = try await ExpressOrderBenchmark(folder: folder).run() && holds
            case "sheet": holds = try await SheetPaymentBenchmark(folder: folder).run() && holds
            case "consent": holds = try await ConsentBenchmark(folder: folder).run() && holds
            case "mini-program": holds = try MiniProgramBenchmark().run() && holds
            case "memory": holds = try await PaymentBenchmark(folder: folder).memory() && holds
            default:
                print(
                    """
                    no such part: \(part); there are token, sealing, pass-data, transition, payment, alipay, sheet, consent, mini-program and \
                    memory, and by itself compare pass-data|payment|alipay|sheet|consent PROGRAM …
                    """)
                holds = false
            }
        }
        return holds
    }

    private static func report(_ result: Comparison) -> Bool {
        let promise = result.floor.map { "floor \($0)\(result.holds ? "" : ", MISSED")" } ?? "no floor"
        print(
            "\(result.name): \(Int(result.jobPerSecond)) per second, bound \(Int(result.boundPerSecond)) per second, "
                + "ratio \(String(format: "%.2f", result.ratio)) (\(promise))\n    bound: \(result.bound)")
        return result.holds
    }
}
