import BillfoldDiagnosis
import BillfoldJSON

/// Reads members of a configuration file and gathers what is wrong with them.
struct ConfigurationReader {
    let file: String
    var findings: [Finding] = []

    mutating func add(
        _ code: String, severity: Finding.Severity = .defect, _ cause: String, evidence: String? = nil, mend: String
    ) {
        findings.append(
            Finding(
                code: "mini-program.\(code)", severity: severity, subject: file,
                cause: cause.prefix(1).uppercased() + cause.dropFirst() + ".",
                evidence: evidence.map { [.init("value", $0)] } ?? [], mend: mend))
    }

    mutating func wrongType(_ key: String, _ wanted: String) {
        add("wrong-type", "\(key) is no \(wanted)", evidence: key, mend: "Write \(wanted) there.")
    }

    mutating func texts(_ value: JSONValue?, _ key: String) -> [String] {
        guard let value else { return [] }
        guard let values = value.array else {
            wrongType(key, "list")
            return []
        }
        let texts = values.compactMap(\.string)
        if texts.count < values.count { wrongType(key, "list of texts") }
        return texts
    }

    mutating func textMap(_ value: JSONValue?, _ key: String) -> [String: String] {
        guard let value else { return [:] }
        guard let members = value.members else {
            wrongType(key, "object")
            return [:]
        }
        var result: [String: String] = [:]
        for member in members {
            if let text = member.value.string { result[member.key] = text } else { wrongType("\(key).\(member.key)", "text") }
        }
        return result
    }

    /// True, false, "YES" or "NO": real files have both [O].
    mutating func flag(_ value: JSONValue?, _ key: String) -> Bool? {
        switch value {
        case nil: return nil
        case .bool(let flag)?: return flag
        case .string("YES")?: return true
        case .string("NO")?: return false
        default:
            wrongType(key, "true or false")
            return nil
        }
    }

    /// Members that nobody knows: another framework's with their right name, a wrong letter case, or neither.
    mutating func unknown(_ object: JSONObject, besides known: Set<String>, in place: String = "") {
        for member in object.members(besides: known) {
            let key = place + member.key
            if let own = WindowSettings.foreignNames[member.key] {
                add(
                    "wechat-key", severity: .warning, "\(key) is another framework's name", evidence: key,
                    mend: own.isEmpty ? "Remove it: nothing here is like it." : "Rename it to \(own).")
            } else if let near = known.first(where: { $0.lowercased() == member.key.lowercased() }) {
                add("wrong-key", "\(key) is not \(near): letter case counts", evidence: key, mend: "Rename it to \(near).")
            } else {
                add(
                    "unknown-key", severity: .warning, "\(key) means nothing here", evidence: key,
                    mend: "Remove it, or see whether it is misspelt.")
            }
        }
    }
}
