import Foundation

/// Something on a page that a person can touch, as the page's template names it.
///
/// The template language is not drawn here: a page's tags are read for the methods that they name and for plain words, so that a person can
/// do what the page lets them do. Conditions and loops are passed over.
package struct TemplateControl: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable {
        case button, input
    }

    package var kind: Kind
    /// A method of the page.
    package var handler: String
    package var label: String
    /// The `data-` attributes, as an event's `target.dataset` has them.
    package var dataset: [String: String]?

    /// The controls of a template, in its order, each once.
    package static func all(in template: String) -> [TemplateControl] {
        var reader = TemplateTags(template)
        var found: [TemplateControl] = []
        var open: [(tag: String, control: Int?)] = []
        while let piece = reader.next() {
            switch piece {
            case .text(let text):
                // Words belong to every button that they stand in.
                for case let index? in open.map(\.control) where found[index].label.utf8.count < 80 {
                    found[index].label += found[index].label.isEmpty ? text : " " + text
                }
            case .close(let tag):
                guard let index = open.lastIndex(where: { $0.tag == tag }) else { continue }
                open.removeSubrange(index...)
            case .open(let tag, let attributes, let isEmpty):
                let control = Self(tag, attributes)
                if let control { found.append(control) }
                if !isEmpty { open.append((tag, control?.kind == .button ? found.count - 1 : nil)) }
            }
        }
        var seen: Set<TemplateControl> = []
        return found.map { control in
            var control = control
            if control.label.isEmpty { control.label = control.handler }
            return control
        }.filter { seen.insert($0).inserted }
    }

    private init?(_ tag: String, _ attributes: [String: String]) {
        let isInput = tag == "input" || tag == "textarea"
        let events = isInput ? ["onInput", "onConfirm", "onBlur", "onChange"] : ["onTap", "catchTap"]
        guard let handler = events.lazy.compactMap({ attributes[$0] }).first, !handler.isEmpty, !handler.contains("{{") else { return nil }
        kind = isInput ? .input : .button
        self.handler = handler
        label = isInput ? attributes["placeholder"] ?? "" : ""
        let data = attributes.filter { $0.key.hasPrefix("data-") && !$0.value.contains("{{") }
        dataset = data.isEmpty ? nil : Dictionary(uniqueKeysWithValues: data.map { (Self.camel($0.key.dropFirst(5)), $0.value) })
    }

    /// `item-id` is read as `itemId` (mini-programs.md#events).
    private static func camel(_ name: Substring) -> String {
        let parts = name.split(separator: "-")
        return (parts.first.map(String.init) ?? "") + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}

/// A template's tags and words, one after another. What is in double braces is no word.
private struct TemplateTags {
    enum Piece {
        case text(String)
        case open(tag: String, attributes: [String: String], isEmpty: Bool)
        case close(String)
    }

    private var rest: Substring

    init(_ template: String) { rest = template[...] }

    mutating func next() -> Piece? {
        while let first = rest.first {
            if rest.hasPrefix("<!--") {
                skip(past: "-->")
            } else if rest.hasPrefix("</") {
                rest = rest.dropFirst(2)
                let name = word()
                skip(past: ">")
                return .close(name)
            } else if first == "<", rest.dropFirst().first?.isLetter == true {
                rest = rest.dropFirst()
                return tag(word())
            } else {
                let text = rest.prefix { $0 != "<" }
                rest = rest.dropFirst(max(1, text.count))
                let plain = Self.plain(text)
                if !plain.isEmpty { return .text(plain) }
            }
        }
        return nil
    }

    private mutating func tag(_ name: String) -> Piece {
        var attributes: [String: String] = [:]
        while let character = rest.first {
            if character == ">" {
                rest = rest.dropFirst()
                return .open(tag: name, attributes: attributes, isEmpty: false)
            }
            if rest.hasPrefix("/>") {
                rest = rest.dropFirst(2)
                return .open(tag: name, attributes: attributes, isEmpty: true)
            }
            let attribute = word()
            guard !attribute.isEmpty else {
                rest = rest.dropFirst()
                continue
            }
            attributes[attribute] = value()
        }
        return .open(tag: name, attributes: attributes, isEmpty: true)
    }

    /// What stands behind `=`, in quotes of either kind; nothing where there is no `=`.
    private mutating func value() -> String {
        guard rest.first == "=" else { return "" }
        rest = rest.dropFirst()
        guard let quote = rest.first, quote == "\"" || quote == "'" else { return word() }
        rest = rest.dropFirst()
        let value = rest.prefix { $0 != quote }
        rest = rest.dropFirst(value.count + 1)
        return String(value)
    }

    private mutating func word() -> String {
        let word = rest.prefix { $0.isLetter || $0.isNumber || "-_:.".contains($0) }
        rest = rest.dropFirst(word.count)
        return String(word)
    }

    private mutating func skip(past end: String) {
        rest = rest.range(of: end).map { rest[$0.upperBound...] } ?? rest.suffix(0)
    }

    private static func plain(_ text: Substring) -> String {
        var (kept, rest) = ("", text)
        while let open = rest.range(of: "{{") {
            kept += rest[..<open.lowerBound]
            rest = rest[open.upperBound...].range(of: "}}").map { rest[$0.upperBound...] } ?? rest.suffix(0)
        }
        return (kept + rest).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
