import Foundation

@main
struct Bench {
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "billfold-bench-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var results: [Comparison] = []
        results.append(
            try TokenBenchmark(leaves: 64).run("EC_v1 token, cached intermediate, a leaf not seen before", verifiesLeaf: true))
        results.append(try TokenBenchmark(leaves: 1).run("EC_v1 token, leaf known from an earlier token", verifiesLeaf: false))
        results.append(try await TransitionBenchmark(folder: folder).run())
        for result in results {
            let promise = result.floor.map { "floor \($0)\(result.holds ? "" : ", MISSED")" } ?? "no floor"
            print(
                "\(result.name): \(Int(result.jobPerSecond)) per second, bound \(Int(result.boundPerSecond)) per second, "
                    + "ratio \(String(format: "%.2f", result.ratio)) (\(promise))\n    bound: \(result.bound)")
        }
        guard results.allSatisfy(\.holds) else {
            try? FileManager.default.removeItem(at: folder)
            exit(1)
        }
    }
}
