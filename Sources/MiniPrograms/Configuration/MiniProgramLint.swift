public import BillfoldDiagnosis
import BillfoldJSON

/// Looks at a mini program's files before they are packed: what is missing, misspelt, left over or dangerous.
///
/// Files are named by their paths from the mini program's root. A finding says which file, what was seen, and how to mend it. Whether a
/// script's syntax is right is for the engine that runs it.
public struct MiniProgramLint: Sendable {
    private let files: [String: [UInt8]]
    /// Paths in lower case, to tell a wrong letter case from a file that is not there.
    private let byLowerCase: [String: String]

    /// The servers that the platform lists; nil where nobody said.
    private let serverDomains: [String]?
    /// Whether components have the second life cycle; nil where no project file says.
    private var component2: Bool?

    /// - Parameters:
    ///   - files: Bytes by path. Folders of build output and of version control are passed over.
    ///   - serverDomains: Hosts such as `api.shop.example` and `*.shop.example`; addresses in scripts are held against them. Nil looks at
    ///     none.
    public init(files: [String: [UInt8]], serverDomains: [String]? = nil) {
        self.serverDomains = serverDomains?.map { $0.lowercased() }
        let kept = files.filter { path, _ in !Self.ignored.contains { path.hasPrefix($0) || path.contains("/" + $0) } }
        self.files = kept
        component2 = kept["mini.project.json"].flatMap { try? ProjectConfiguration.read($0).configuration.component2 }
        byLowerCase = Dictionary(kept.keys.sorted().map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Committed by mistake, and not part of a mini program [O].
    static let ignored = [".tea/", ".git/", ".DS_Store"]

    /// Everything found, in the order of files.
    public func findings() -> [Finding] {
        guard let bytes = files["app.json"] else {
            return [
                finding(
                    "app-json", in: "app.json", cause: "There is no app.json.",
                    mend: "Put app.json at the mini program's root: it lists the pages.")
            ]
        }
        var result: [Finding] = []
        let app: AppConfiguration
        do throws(MiniProgramError) {
            let read = try AppConfiguration.read(bytes)
            app = read.configuration
            result += read.findings
        } catch {
            return [
                finding(
                    "app-json", in: "app.json", cause: "app.json cannot be used: \(error.reason).",
                    mend: "Mend the file, and list a page in pages.")
            ]
        }
        if let project = files["mini.project.json"] {
            do throws(MiniProgramError) {
                result += try ProjectConfiguration.read(project).findings
            } catch {
                result.append(finding("malformed-json", in: "mini.project.json", cause: "\(error.reason).", mend: "Write strict JSON."))
            }
        }
        for route in app.routes { result += page(route, of: app) }
        for (name, path) in app.usingComponents.sorted(by: { $0.key < $1.key }) {
            result += component(name, path, from: "app.json", visited: [])
        }
        for tab in app.tabs {
            for icon in [tab.icon, tab.activeIcon].compactMap({ $0 }) where !icon.contains("://") {
                result += missing(icon, "icon", in: "app.json")
            }
        }
        for path in files.keys.sorted() {
            result += SourceLint(path: path, bytes: files[path] ?? [], serverDomains: serverDomains).findings()
        }
        var handlers = HandlerLint(files: files)
        for stem in app.routes + components() { result += handlers.findings(of: stem) }
        return unique(result)
    }

    /// The program's own components, by their settings.
    private func components() -> [String] {
        files.keys.sorted().filter { path in
            path.hasSuffix(".json") && !path.contains("node_modules/")
                && (files[path].flatMap { try? PageConfiguration.read($0, path: path).configuration.isComponent } ?? false)
        }.map { String($0.dropLast(".json".count)) }
    }

    private func page(_ route: String, of app: AppConfiguration) -> [Finding] {
        // A page of an HTML5 mini program is a page of its server, and has no files here.
        var result = missing(route + ".axml", "page", in: "app.json") + missing(route + ".js", "page", in: "app.json", also: route + ".ts")
        let own = files[route + ".json"]
        if let own { result += settings(own, route + ".json", visited: []) }
        let named = own.flatMap { try? PageConfiguration.read($0, path: route + ".json").configuration.usingComponents } ?? [:]
        return result + template(route + ".axml", components: Set(app.usingComponents.keys).union(named.keys))
    }

    private func template(_ path: String, components: Set<String>) -> [Finding] {
        let tags = files[path].map { TemplateLint(bytes: $0, components: components).unresolved() } ?? []
        guard !tags.isEmpty else { return [] }
        return [
            finding(
                "unresolved-tag", in: path,
                cause: "A template uses tags that are neither built in nor named in usingComponents: they show nothing.",
                value: tags.prefix(8).joined(separator: " "), mend: "Name the component in usingComponents, or mend the tag's spelling.",
                severity: .warning)
        ]
    }

    /// What a component's script expects of a life cycle that it does not have (mini-programs.md#components).
    private func lifeCycle(_ path: String) -> [Finding] {
        guard let bytes = files[path], !path.hasPrefix("node_modules/") else { return [] }
        let text = String(decoding: bytes, as: UTF8.self)
        var result: [Finding] = []
        if component2 == false, let hit = text.firstMatch(of: /\b(onInit|deriveDataFromProps)\s*[(:]/) {
            result.append(
                finding(
                    "component2-off", in: path,
                    cause: "A component's function belongs to the second life cycle, which mini.project.json leaves off.",
                    value: String(hit.1), mend: "Set compileOptions.component2 to true, or use didMount and didUpdate.", severity: .warning)
            )
        }
        if let hit = text.firstMatch(of: /\b(onShow|onHide)\s*(\(|:\s*(async\s+)?function)/) {
            result.append(
                finding(
                    "component-on-show", in: path,
                    cause: "A component waits to be shown or hidden, and only pages are told: it is not refreshed.",
                    value: String(hit.1), mend: "Let the page call the component from its own onShow, or watch a prop.", severity: .warning)
            )
        }
        return result
    }

    private func settings(_ bytes: [UInt8], _ path: String, visited: Set<String>) -> [Finding] {
        do throws(MiniProgramError) {
            let (configuration, findings) = try PageConfiguration.read(bytes, path: path)
            return findings
                + configuration.usingComponents.sorted { $0.key < $1.key }.flatMap {
                    component($0.key, $0.value, from: path, visited: visited)
                }
        } catch {
            return [
                finding(
                    "malformed-json", in: path, cause: "\(error.reason).", mend: "Write strict JSON: no comments, no commas at the end.")
            ]
        }
    }

    private func component(_ name: String, _ path: String, from file: String, visited: Set<String>) -> [Finding] {
        var result: [Finding] = []
        // A name in another case than the template's shows nothing, and no error [O].
        if name.contains("_") || name.first?.isUppercase == true {
            result.append(
                finding(
                    "component-name", in: file, cause: "A component's name is neither in kebab-case nor in lower camel case.", value: name,
                    mend: "Rename the component, here and in the templates.", severity: .warning))
        }
        if path.hasPrefix("plugin://") || path.hasPrefix("dynamic-plugin://") { return result }
        let target: String
        if let resolved = ConfigurationPath.resolve(path, from: file) {
            target = resolved
        } else if path.hasPrefix(".") {
            return result + [
                finding(
                    "component-path", in: file, cause: "A component's path leaves the package.", value: path,
                    mend: "Name a folder of the package.")
            ]
        } else {
            target = "node_modules/" + path
        }
        guard !visited.contains(target) else { return result }
        guard let settingsFile = files[target + ".json"] ?? files[target + "/index.json"] else {
            let near = byLowerCase[(target + ".json").lowercased()]
            let isPackage = target.hasPrefix("node_modules/")
            let mend =
                near.map { "The file is \($0): letter case counts on devices." }
                ?? (isPackage ? "Install the package before packing." : "Write the component's four files, or mend the path.")
            return result + [
                finding(
                    "component-missing", in: file, cause: "The component \(name) is not there: it would show nothing.",
                    value: target + ".json", mend: mend)
            ]
        }
        let settingsPath = files[target + ".json"] == nil ? target + "/index.json" : target + ".json"
        if let read = try? PageConfiguration.read(settingsFile, path: settingsPath).configuration, !read.isComponent {
            result.append(
                finding(
                    "component-flag", in: settingsPath, cause: "A file that is used as a component does not say so.",
                    mend: "Add \"component\": true.")
            )
        }
        let stem = String(settingsPath.dropLast(".json".count))
        result +=
            missing(stem + ".axml", "component", in: settingsPath)
            + missing(stem + ".js", "component", in: settingsPath, also: stem + ".ts")
        return result + lifeCycle(stem + ".js") + lifeCycle(stem + ".ts")
            + settings(settingsFile, settingsPath, visited: visited.union([target]))
    }

    private func missing(_ path: String, _ what: String, in file: String, also other: String? = nil) -> [Finding] {
        let path = ConfigurationPath.route(path)
        if files[path] != nil || other.map({ files[$0] != nil }) == true { return [] }
        if let near = byLowerCase[path.lowercased()] {
            return [
                finding(
                    "path-case", in: file,
                    cause: "A \(what)'s file has another letter case than its path: it works in a simulator and not on a device.",
                    value: near,
                    mend: "Rename \(near) to \(path), or mend the path.")
            ]
        }
        return [
            finding(
                "\(what)-file", in: file, cause: "A \(what)'s file is not there.", value: path,
                mend: "Write \(path), or take the \(what) out of \(file).")
        ]
    }

    private func finding(
        _ code: String, in file: String, cause: String, value: String? = nil, mend: String, severity: Finding.Severity = .defect
    ) -> Finding {
        Finding(
            code: "mini-program.\(code)", severity: severity, subject: file, cause: cause,
            evidence: value.map { [.init("value", $0)] } ?? [],
            mend: mend)
    }

    /// A component that many pages use is reported once.
    private func unique(_ findings: [Finding]) -> [Finding] {
        var seen: Set<Finding> = []
        return findings.filter { seen.insert($0).inserted }
    }
}
