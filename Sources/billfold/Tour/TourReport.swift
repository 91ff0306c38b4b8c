import BillfoldJSON
import Foundation

/// What each step of the tour did.
struct TourReport: Sendable, Encodable {
    struct Step: Sendable, Encodable {
        var name: String
        /// What happened, in one line.
        var outcome: String
        var milliseconds: Int64
        var passed: Bool
    }

    var steps: [Step] = []
    /// Which message was changed, and how often one passed by.
    var flip: String?
    var flipped: Int?

    var passed: Bool { steps.allSatisfy(\.passed) && !steps.isEmpty }

    private enum CodingKeys: String, CodingKey {
        case steps, flip, flipped, passed
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(steps, forKey: .steps)
        try container.encodeIfPresent(flip, forKey: .flip)
        try container.encodeIfPresent(flipped, forKey: .flipped)
        try container.encode(passed, forKey: .passed)
    }

    var json: String { Self.json(self) }

    static func json(_ report: some Encodable) -> String {
        (try? JSONDocument.encode(report)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// A table for people: step, what happened, milliseconds.
    var table: String {
        let width = (steps.map(\.name.count) + [4]).max() ?? 4
        let outcomeWidth = min(100, (steps.map(\.outcome.count) + [13]).max() ?? 13)
        func line(_ mark: String, name: String, outcome: String, time: String) -> String {
            let padded = name + String(repeating: " ", count: max(0, width - name.count))
            let filled = outcome + String(repeating: " ", count: max(0, outcomeWidth - outcome.count))
            return "\(mark) \(padded)  \(filled)  \(String(repeating: " ", count: max(0, 6 - time.count)))\(time)"
        }
        var lines = [line(" ", name: "step", outcome: "what happened", time: "ms")]
        lines += steps.map { line($0.passed ? "✓" : "✗", name: $0.name, outcome: $0.outcome, time: String($0.milliseconds)) }
        if let flip { lines.append("  one byte changed in \(flip), \(flipped ?? 0) times") }
        lines.append(passed ? "every step passed and the books agree" : "the tour failed")
        return lines.joined(separator: "\n")
    }
}
