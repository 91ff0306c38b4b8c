import Foundation

/// What became of a tour for each message that was damaged.
struct FlipReport: Sendable, Encodable {
    struct Line: Sendable, Encodable {
        var message: String
        var what: String
        /// The step that failed; nil where none did, which is a failure of the tour's comparisons.
        var step: String?
        var outcome: String
        /// Whether the message passed by, was changed, and the tour failed.
        var passed: Bool

        init(_ flip: Flip, _ tour: TourReport) {
            message = flip.name
            what = flip.what
            let failed = tour.steps.first { !$0.passed }
            step = failed?.name
            let isChanged = (tour.flipped ?? 0) > 0
            passed = isChanged && failed != nil
            outcome = !isChanged ? "no such message passed by" : failed?.outcome ?? "nobody noticed"
        }

        var text: String { "\(passed ? "✓" : "✗") \(message)  \(step ?? "-")  \(outcome)" }
    }

    var flips: [Line] = []

    var passed: Bool { flips.allSatisfy(\.passed) && !flips.isEmpty }

    private enum CodingKeys: String, CodingKey { case flips, passed }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(flips, forKey: .flips)
        try container.encode(passed, forKey: .passed)
    }

    var json: String { TourReport.json(self) }

    /// A table for people: message, the step that failed, why.
    var table: String {
        func width(_ texts: [String]) -> Int { texts.map(\.count).max() ?? 0 }
        func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }
        let messages = width(flips.map(\.message))
        let steps = width(flips.map { $0.step ?? "-" })
        let lines = flips.map {
            "\($0.passed ? "✓" : "✗") \(padded($0.message, messages))  \(padded($0.step ?? "-", steps))  \($0.outcome)"
        }
        let noticed = flips.count { $0.passed }
        return (lines + ["\(noticed) of \(flips.count) damaged messages made the tour fail"]).joined(separator: "\n")
    }
}
