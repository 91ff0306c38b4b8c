import BillfoldDiagnosis
import BillfoldJSON
import Foundation

/// The application groups that app and extension have to share: cards that the app keeps elsewhere are none of the extension's.
enum ApplicationGroups {
    private static let key = "com.apple.security.application-groups"

    /// Those of an entitlements file; nil where it names none.
    static func listed(_ bytes: Data) -> JSONValue? {
        guard AppPropertyList.isMeant(by: Array(bytes.prefix(1_024))),
            let root = try? PropertyListSerialization.propertyList(from: bytes, format: nil), let entries = root as? [String: Any],
            let groups = entries[key] as? [String]
        else { return nil }
        return .array(groups.map { .string($0) })
    }

    /// The groups of several entitlements files that have none in common, file by file; nil where one is shared, or too little is known.
    static func apart(_ apps: [CaseFile.Named<JSONObject>]) -> String? {
        let listed = apps.compactMap { app in
            app.value["applicationGroups"]?.array.map { (name: app.name, groups: Set($0.compactMap(\.string))) }
        }
        guard listed.count > 1, let first = listed.first else { return nil }
        guard listed.dropFirst().reduce(first.groups, { $0.intersection($1.groups) }).isEmpty else { return nil }
        return listed.map { "\($0.name): \($0.groups.isEmpty ? "none" : $0.groups.sorted().joined(separator: ", "))" }.joined(
            separator: "; ")
    }
}
