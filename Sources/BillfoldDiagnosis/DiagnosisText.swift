/// Writes a diagnosis for a terminal or a log: what each artifact is, then every finding with its evidence and mend, then what was not
/// looked at and what it needs.
public struct DiagnosisText: Sendable {
    /// Columns of a line; text is wrapped at words to stay inside.
    public var width: Int
    /// Whether to mark severities with ANSI colour. Leave it off for a pipe.
    public var usesColour: Bool

    public init(width: Int = 100, usesColour: Bool = false) {
        self.width = max(width, 40)
        self.usesColour = usesColour
    }

    /// Ends with a line feed. Control characters in values are replaced, so that an artifact cannot drive the terminal.
    public func render(_ diagnosis: Diagnosis) -> String {
        var lines: [String] = []
        for item in diagnosis.identified {
            lines += wrap(item.summary, first: "\(clean(item.artifact)): ", rest: "    ")
            lines.append("    \(clean(item.kind))")
        }
        if !diagnosis.identified.isEmpty { lines.append("") }
        for finding in diagnosis.findings { lines += render(finding) + [""] }
        let unjudged = diagnosis.identified.flatMap(unjudgedLines)
        lines += unjudged + (unjudged.isEmpty ? [] : [""])
        lines.append(summary(of: diagnosis.findings, isPartial: !unjudged.isEmpty))
        return lines.joined(separator: "\n") + "\n"
    }

    private func render(_ finding: Finding) -> [String] {
        let label = finding.severity == .defect ? "defect" : "warning"
        let colour = finding.severity == .defect ? "31" : "33"
        var lines = ["\(paint(label, colour)) \(clean(finding.code)) in \(clean(finding.subject))"]
        lines += wrap(finding.cause, first: "    ", rest: "    ")
        let column = min(finding.evidence.map { clean($0.name).count }.max() ?? 0, 24)
        for evidence in finding.evidence {
            let name = clean(evidence.name)
            let padded = name + String(repeating: " ", count: max(0, column - name.count))
            lines += wrap(evidence.value, first: "      \(padded)  ", rest: String(repeating: " ", count: 8 + column))
        }
        lines += wrap(finding.mend, first: "    mend: ", rest: "          ")
        return lines
    }

    private func unjudgedLines(_ item: Diagnosis.Identification) -> [String] {
        guard let unjudged = item.unjudged else { return [] }
        return wrap(unjudged.part, first: "not looked at in \(clean(item.artifact)): ", rest: "    ")
            + wrap(unjudged.need, first: "    hand over: ", rest: "          ")
    }

    private func summary(of findings: [Finding], isPartial: Bool) -> String {
        guard !findings.isEmpty else {
            return isPartial ? paint("nothing wrong was found in what was looked at", "33") : paint("nothing wrong was found", "32")
        }
        let defects = findings.filter { $0.severity == .defect }.count
        let warnings = findings.count - defects
        let parts = [(defects, "defect"), (warnings, "warning")].filter { $0.0 > 0 }.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }
        return parts.joined(separator: ", ")
    }

    private func paint(_ text: String, _ colour: String) -> String { usesColour ? "\u{1b}[\(colour)m\(text)\u{1b}[0m" : text }

    private func clean(_ text: String) -> String { Self.printable(text) }

    /// One line of printable text: control, format and line-separating characters become a visible replacement.
    public static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{fffd}"
                    default: scalar
                    }
                }))
    }

    private func wrap(_ text: String, first: String, rest: String) -> [String] {
        var lines: [String] = []
        var line = first
        var isEmpty = true
        for word in text.split(separator: "\n").joined(separator: " ").split(separator: " ").map({ clean(String($0)) }) {
            if !isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                (line, isEmpty) = (rest, true)
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return lines + [line]
    }
}
