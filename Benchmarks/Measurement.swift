import Foundation

/// Times a job against its bound in the same process and run.
///
/// The two are run in alternating blocks, so that a slow second on a shared machine slows both, and the figure is the
/// median of the blocks' ratios: one disturbed block does not move it.
struct Comparison: Codable {
    var name: String
    /// Operations per second of the job and of its bound, each the median over the blocks.
    var jobPerSecond: Double
    var boundPerSecond: Double
    /// `jobPerSecond / boundPerSecond`, the median over the blocks.
    var ratio: Double
    /// The ratio the project promises; nil where a figure is told and nothing is promised.
    var floor: Double?
    /// The operations the bound consists of, in words.
    var bound: String

    var holds: Bool { floor.map { ratio >= $0 } ?? true }

    static func run(
        _ name: String, bound description: String, floor: Double?, blocks: Int = 15, perBlock: Int,
        job: (Int) throws -> Void, bound: (Int) throws -> Void
    ) throws -> Comparison {
        var jobTimes: [Double] = []
        var boundTimes: [Double] = []
        try job(max(1, perBlock / 10))
        try bound(max(1, perBlock / 10))
        for block in 0..<blocks {
            if block.isMultiple(of: 2) {
                jobTimes.append(try seconds { try job(perBlock) })
                boundTimes.append(try seconds { try bound(perBlock) })
            } else {
                boundTimes.append(try seconds { try bound(perBlock) })
                jobTimes.append(try seconds { try job(perBlock) })
            }
        }
        return Comparison(
            name: name, jobPerSecond: Double(perBlock) / median(jobTimes), boundPerSecond: Double(perBlock) / median(boundTimes),
            ratio: median(zip(boundTimes, jobTimes).map { $0 / $1 }), floor: floor, bound: description)
    }

    static func run(
        _ name: String, bound description: String, floor: Double?, blocks: Int = 9, perBlock: Int,
        job: (Int) async throws -> Void, bound: (Int) async throws -> Void
    ) async throws -> Comparison {
        var jobTimes: [Double] = []
        var boundTimes: [Double] = []
        try await job(max(1, perBlock / 10))
        try await bound(max(1, perBlock / 10))
        for _ in 0..<blocks {
            jobTimes.append(try await seconds { try await job(perBlock) })
            boundTimes.append(try await seconds { try await bound(perBlock) })
        }
        return Comparison(
            name: name, jobPerSecond: Double(perBlock) / median(jobTimes), boundPerSecond: Double(perBlock) / median(boundTimes),
            ratio: median(zip(boundTimes, jobTimes).map { $0 / $1 }), floor: floor, bound: description)
    }
}

/// Times a path through a server against the operations that it cannot avoid, block by block: each timed alone and added up, which is its bound,
/// and, to tell how much of the difference is no work of the server's own, all done by the bare route.
struct PathRatios {
    private let together: [Double]
    private let apart: [Double]
    private let rates: (together: Int, apart: Int)
    private let floor: Double

    /// Seconds of one path, of its operations together and of their sum, in each block.
    init(_ blocks: [(path: Double, together: Double, apart: Double)], floor: Double) {
        together = blocks.map { $0.together / $0.path }.sorted()
        apart = blocks.map { $0.apart / $0.path }.sorted()
        rates = (Int(1 / median(blocks.map(\.together))), Int(1 / median(blocks.map(\.apart))))
        self.floor = floor
    }

    var holds: Bool { median(apart) >= floor }

    var text: String {
        """
        bound, the operations each timed alone and added up: \(rates.apart) per second, ratio \(Self.text(apart)) \
        (floor \(floor)\(holds ? "" : ", MISSED"))
            a route of the same listener that does these operations and nothing else: \(rates.together) per second, ratio \(Self.text(together))
        """
    }

    private static func text(_ ratios: [Double]) -> String {
        func digits(_ ratio: Double?) -> String { String(format: "%.2f", ratio ?? 0) }
        return "\(digits(median(ratios))) (blocks from \(digits(ratios.first)) to \(digits(ratios.last)))"
    }
}

func seconds(_ body: () throws -> Void) rethrows -> Double {
    let elapsed = try ContinuousClock().measure(body)
    return elapsed / .seconds(1)
}

func seconds(_ body: () async throws -> Void) async rethrows -> Double {
    let elapsed = try await ContinuousClock().measure(body)
    return elapsed / .seconds(1)
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

/// The value below which `share` of the sorted samples lie.
func percentile(_ sorted: [Double], _ share: Double) -> Double {
    sorted[min(sorted.count - 1, Int((Double(sorted.count) * share).rounded(.up)) - 1)]
}
