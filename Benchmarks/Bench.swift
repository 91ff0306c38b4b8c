import Foundation

@main
struct Bench {
    /// `billfold-bench` measures everything; `billfold-bench token|sealing|pass-data|transition|payment|alipay|sheet|consent|mini-program|memory …`
    /// the parts that are named.
    static func main() async throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.count == 2, arguments[0] == "server" {
            try await ServerProcess(folder: URL(filePath: arguments[1])).run()
            return
        }
        if arguments.count == 2, arguments[0] == "pass-data-server" {
            try await PassDataProcess(folder: URL(filePath: arguments[1])).run()
            return
        }
        if arguments.count == 2, arguments[0] == "order-gateway" {
            try await OrderGatewayProcess(folder: URL(filePath: arguments[1])).run()
            return
        }
        if arguments.count == 2, arguments[0] == "acquiring-gateway" {
            try await AcquiringGatewayProcess(folder: URL(filePath: arguments[1])).run()
            return
        }
        if arguments.count == 2, arguments[0] == "super-app" {
            try await SuperAppProcess(folder: URL(filePath: arguments[1])).run()
            return
        }
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

    private static func run(_ parts: [String], _ folder: URL) async throws -> Bool {
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
                    "no such part: \(part); there are token, sealing, pass-data, transition, payment, alipay, sheet, consent, mini-program and memory"
                )
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
