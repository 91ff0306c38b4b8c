public import BillfoldStorage
import Foundation
public import Logging

/// A log handler for programs (one JSON object per line) and for people (one line of text).
///
/// A line holds the time, the level, the logger's label, the message, the request id where there is one, and the metadata.
/// Metadata passes a ``LogScrubber``; a newline in a value is escaped, so that no value forges a line.
public struct StructuredLogHandler: LogHandler {
    public enum Format: String, Sendable, CaseIterable {
        case text
        case json
    }

    public var logLevel: Logger.Level
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let format: Format
    private let clock: any WallClock
    private let destination: any LogDestination
    private let scrubber = LogScrubber()

    public init(
        label: String, format: Format, level: Logger.Level = .info, clock: any WallClock,
        destination: any LogDestination = StandardErrorLog()
    ) {
        self.label = label
        self.format = format
        logLevel = level
        self.clock = clock
        self.destination = destination
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var merged = metadata
        if let provided = metadataProvider?.get() { merged.merge(provided) { _, new in new } }
        if let own = event.metadata { merged.merge(own) { _, new in new } }
        var fields: [String: String] = [:]
        for (key, value) in merged {
            // The framework's key; the rest of the world says request_id.
            let name = key == "hb.request.id" ? "request_id" : key
            if name == key || fields[name] == nil { fields[name] = scrubber.value("\(value)", under: key) }
        }
        if let error = event.error { fields["error"] = ErrorMapping.logDescription(of: error) }
        let message = scrubber.text(event.message.description)
        switch format {
        case .json: destination.write(json(event, message, fields))
        case .text: destination.write(text(event, message, fields))
        }
    }

    private func json(_ event: LogEvent, _ message: String, _ fields: [String: String]) -> String {
        var object = fields
        // The line's own names win over metadata of the same name.
        object["at"] = time
        object["level"] = event.level.rawValue
        object["logger"] = label
        object["message"] = message
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A dictionary of strings always encodes.
        return (try? encoder.encode(object)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    private func text(_ event: LogEvent, _ message: String, _ fields: [String: String]) -> String {
        let rest = fields.sorted { $0.key < $1.key }.map { " \($0.key)=\(Self.oneLine($0.value))" }.joined()
        return "\(time) \(event.level.rawValue) \(label): \(Self.oneLine(message))\(rest)"
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
        let seconds = Date(timeIntervalSince1970: TimeInterval(microseconds / 1_000_000))
        let fraction = String(microseconds % 1_000_000)
        return seconds.formatted(.iso8601.dateSeparator(.dash).timeSeparator(.colon).dateTimeSeparator(.standard)).dropLast()
            + "." + String(repeating: "0", count: 6 - fraction.count) + fraction + "Z"
    }
}
