import BillfoldJSON
package import BillfoldStorage
import Foundation
package import Logging
import Synchronization

/// A log handler for programs (one JSON object per line) and for people (one line of text).
///
/// A line holds the time, the level, the logger's label, the message, the request id where there is one, and the metadata.
/// Metadata passes a `LogScrubber`; a newline in a value is escaped, so that no value forges a line.
package struct StructuredLogHandler: LogHandler {
    package enum Format: String, Sendable, CaseIterable {
        case text
        case json
    }

    package var logLevel: Logger.Level
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let format: Format
    private let clock: any WallClock
    private let destination: any LogDestination
    private let scrubber = LogScrubber()

    package init(
        label: String, format: Format, level: Logger.Level = .info, clock: any WallClock,
        destination: any LogDestination = StandardErrorLog()
    ) {
        self.label = label
        self.format = format
        logLevel = level
        self.clock = clock
        self.destination = destination
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        // A few pairs in an array: a dictionary for each line took longer than the line.
        var pairs: [(key: String, value: Logger.Metadata.Value)] = []
        for source in [metadata, metadataProvider?.get() ?? [:], event.metadata ?? [:]] {
            for (key, value) in source {
                if let place = pairs.firstIndex(where: { $0.key == key }) { pairs[place].value = value } else { pairs.append((key, value)) }
            }
        }
        // The framework's key; the rest of the world says request_id.
        if let place = pairs.firstIndex(where: { $0.key == "hb.request.id" }) {
            if pairs.contains(where: { $0.key == "request_id" }) { pairs.remove(at: place) } else { pairs[place].key = "request_id" }
        }
        var fields = pairs.map { ($0.key, scrubber.value($0.value.description, under: $0.key)) }
        if let error = event.error {
            fields.removeAll { $0.0 == "error" }
            fields.append(("error", ErrorMapping.logDescription(of: error)))
        }
        let message = scrubber.text(event.message.description)
        switch format {
        case .json: destination.write(json(event, message: message, fields: fields))
        case .text: destination.write(text(event, message: message, fields: fields))
        }
    }

    private func json(_ event: LogEvent, message: String, fields: [(String, String)]) -> String {
        var object = Dictionary(uniqueKeysWithValues: fields)
        // The line's own names win over metadata of the same name.
        object["at"] = time
        object["level"] = event.level.rawValue
        object["logger"] = label
        object["message"] = message
        // A dictionary of strings always encodes.
        return (try? JSONDocument.encode(object)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    private func text(_ event: LogEvent, message: String, fields: [(String, String)]) -> String {
        var line = time
        line += " "
        line += event.level.rawValue
        line += " "
        line += label
        line += ": "
        line += Self.oneLine(message)
        for (key, value) in fields.sorted(by: { $0.0 < $1.0 }) {
            line += " "
            line += key
            line += "="
            line += Self.oneLine(value)
        }
        return line
    }

    /// Escapes what would end the line or drive a terminal. By scalars: CR LF is one character, equal to neither of its halves.
    private static func oneLine(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) { return text }
        guard text.unicodeScalars.contains(where: isUnprintable) else { return text }
        return text.unicodeScalars.map { scalar in
            switch scalar {
            case "\n": "\\n"
            case "\r": "\\r"
            case _ where isUnprintable(scalar): "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }.joined()
    }

    private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// ISO 8601 in UTC with microseconds.
    private var time: String {
        let microseconds = clock.now().microseconds
        let fraction = String(microseconds % 1_000_000)
        var text = Self.second.text(of: microseconds / 1_000_000)
        text += String(repeating: "0", count: 6 - fraction.count)
        text += fraction
        text += "Z"
        return text
    }

    /// The second that was written last, up to its decimal point: writing a date takes longer than the rest of a line.
    private static let second = LastSecond()

    private final class LastSecond: Sendable {
        private let last = Mutex<(second: Int64, text: String)?>(nil)

        func text(of second: Int64) -> String {
            last.withLock { last in
                if let last, last.second == second { return last.text }
                let date = Date(timeIntervalSince1970: TimeInterval(second))
                let text =
                    date.formatted(.iso8601.dateSeparator(.dash).timeSeparator(.colon).dateTimeSeparator(.standard)).dropLast() + "."
                last = (second, String(text))
                return String(text)
            }
        }
    }
}
