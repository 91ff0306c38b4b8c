import CoreMetrics
import Synchronization

/// What a family of metrics is, in the format's own word.
enum PrometheusKind: String, Sendable {
    case counter
    case gauge
    case histogram
}

/// One dimension of a series, with the format's rules for names and escapes.
struct PrometheusLabel: Hashable, Sendable, Comparable {
    var name: String
    var value: String

    static func < (lhs: Self, rhs: Self) -> Bool { (lhs.name, lhs.value) < (rhs.name, rhs.value) }

    var text: String {
        // By scalars: a quote with a combining mark behind it is one character, and not equal to a quote.
        let escaped = value.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\\\"
            case "\"": "\\\""
            case "\n": "\\n"
            case "\r": " "
            default: String(scalar)
            }
        }.joined()
        return "\(name)=\"\(escaped)\""
    }

    static func metricName(_ label: String) -> String { mended(label, extra: ":") }
    static func labelName(_ label: String) -> String { mended(label, extra: "") }

    private static func mended(_ label: String, extra: String) -> String {
        // Every label of our own code is fit as it is.
        if let first = label.utf8.first, !(0x30...0x39).contains(first), label.utf8.allSatisfy(isPlain) { return label }
        var name = ""
        for character in label.unicodeScalars {
            let isLetter = ("a"..."z").contains(character) || ("A"..."Z").contains(character)
            let isDigit = ("0"..."9").contains(character)
            if isDigit, name.isEmpty { name += "_" }
            let isTaken = isLetter || isDigit || character == "_" || extra.unicodeScalars.contains(character)
            name.unicodeScalars.append(isTaken ? character : "_")
        }
        return name.isEmpty ? "_" : name
    }
}

extension PrometheusLabel {
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x5f: true
        default: false
        }
    }
}

extension [PrometheusLabel] {
    /// `{a="1",b="2"}`, or nothing.
    var text: String { isEmpty ? "" : "{" + map(\.text).joined(separator: ",") + "}" }

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.lexicographicallyPrecedes(rhs) }
}

/// One measured thing that can write itself.
protocol PrometheusSeries: AnyObject, Sendable {
    func lines(name: String, labels: [PrometheusLabel]) -> [String]
}

/// A number that counts or stands for a level.
final class PrometheusValue: PrometheusSeries, CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler {
    /// Whole numbers are kept apart from fractions, so that a counter stays exact however long it runs.
    private let value = Mutex<(whole: Int64, fraction: Double)>((0, 0))

    func increment(by amount: Int64) { value.withLock { $0.whole &+= amount } }
    func increment(by amount: Double) { value.withLock { $0.fraction += amount } }
    func decrement(by amount: Double) { increment(by: -amount) }
    func reset() { value.withLock { $0 = (0, 0) } }
    func set(_ amount: Int64) { value.withLock { $0 = (amount, 0) } }
    func set(_ amount: Double) { value.withLock { $0 = (0, amount) } }
    func record(_ amount: Int64) { set(amount) }
    func record(_ amount: Double) { set(amount) }

    func lines(name: String, labels: [PrometheusLabel]) -> [String] {
        let (whole, fraction) = value.withLock { $0 }
        return ["\(name)\(labels.text) \(fraction == 0 ? String(whole) : PrometheusNumber.text(Double(whole) + fraction))"]
    }
}

/// A distribution over fixed buckets.
final class PrometheusHistogram: PrometheusSeries, RecorderHandler, TimerHandler {
    private struct State {
        var counts: [UInt64]
        var total: UInt64 = 0
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Mutex<State>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count)))
    }

    func record(_ value: Int64) { record(Double(value)) }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func record(_ value: Double) {
        state.withLock { state in
            if let bucket = bounds.firstIndex(where: { value <= $0 }) { state.counts[bucket] += 1 }
            state.total += 1
            state.sum += value
        }
    }

    func lines(name: String, labels: [PrometheusLabel]) -> [String] {
        let state = state.withLock { $0 }
        var lines: [String] = []
        var cumulative: UInt64 = 0
        for (bound, count) in zip(bounds, state.counts) {
            cumulative += count
            lines.append(
                "\(name)_bucket\((labels + [PrometheusLabel(name: "le", value: PrometheusNumber.text(bound))]).text) \(cumulative)")
        }
        lines.append("\(name)_bucket\((labels + [PrometheusLabel(name: "le", value: "+Inf")]).text) \(state.total)")
        lines.append("\(name)_sum\(labels.text) \(PrometheusNumber.text(state.sum))")
        lines.append("\(name)_count\(labels.text) \(state.total)")
        return lines
    }
}

enum PrometheusNumber {
    static func text(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
    }
}
