public import BillfoldDiagnosis
import BillfoldJSON

/// How a page's window looks: `window` of app.json, and the top level of a page's own file, which overrides it
/// (mini-programs.md#configuration).
public struct WindowSettings: Sendable, Hashable {
    public var defaultTitle: String?
    public var titleBarColor: String?
    public var backgroundColor: String?
    /// Documents disagree about the default: unset is off, unless the page has `onPullDownRefresh` [I].
    public var pullRefresh: Bool?
    public var allowsBounceVertical: Bool?

    /// As another one, wherever that says something.
    public func overridden(by page: WindowSettings) -> WindowSettings {
        var result = self
        result.defaultTitle = page.defaultTitle ?? defaultTitle
        result.titleBarColor = page.titleBarColor ?? titleBarColor
        result.backgroundColor = page.backgroundColor ?? backgroundColor
        result.pullRefresh = page.pullRefresh ?? pullRefresh
        result.allowsBounceVertical = page.allowsBounceVertical ?? allowsBounceVertical
        return result
    }

    /// Whether a pull refreshes the page: it needs a window that bounces.
    public func refreshes(pageHasHandler: Bool) -> Bool { (pullRefresh ?? pageHasHandler) && allowsBounceVertical != false }

    init(_ object: JSONObject, _ reader: inout ConfigurationReader, in place: String = "window.", besides: Set<String> = []) {
        func text(_ key: String) -> String? {
            guard let value = object[key] else { return nil }
            if value.string == nil { reader.wrongType(place + key, "text") }
            return value.string
        }
        defaultTitle = text("defaultTitle")
        titleBarColor = text("titleBarColor")
        backgroundColor = text("backgroundColor")
        pullRefresh = reader.flag(object["pullRefresh"], place + "pullRefresh")
        allowsBounceVertical = reader.flag(object["allowsBounceVertical"], place + "allowsBounceVertical")
        reader.unknown(object, besides: Self.known.union(besides), in: place)
        if pullRefresh == true, allowsBounceVertical == false {
            reader.add(
                "pull-refresh", severity: .warning, "\(place)pullRefresh is on and allowsBounceVertical is off",
                evidence: place + "pullRefresh",
                mend: "Turn allowsBounceVertical on: a window that does not bounce cannot be pulled.")
        }
    }

    static let known: Set<String> = [
        "defaultTitle", "titleBarColor", "backgroundColor", "pullRefresh", "allowsBounceVertical", "transparentTitle", "optionMenu",
        "enableWK", "enableDSL", "enableJSC", "titleImage", "titlePenetrate", "onReachBottomDistance", "showTitleLoading", "barButtonTheme",
        "responsive", "backgroundImageColor", "backgroundImageUrl", "navigationBarFrontColor", "gestureBack", "enableScrollBar",
    ]

    /// Left over from another framework, with the right names [O]; empty where there is none.
    static let foreignNames: [String: String] = [
        "navigationBarTitleText": "defaultTitle", "navigationBarBackgroundColor": "titleBarColor",
        "navigationBarTextStyle": "barButtonTheme",
        "enablePullDownRefresh": "pullRefresh", "backgroundTextStyle": "", "navigationStyle": "transparentTitle",
        "disableScroll": "", "backgroundColorTop": "", "backgroundColorBottom": "", "renderer": "",
    ]
}

/// The file beside a page or component; it may be missing (mini-programs.md#configuration).
public struct PageConfiguration: Sendable, Hashable {
    public var window: WindowSettings
    public var isComponent: Bool
    /// By their names in the template: kebab-case or lower camel case.
    public var usingComponents: [String: String]

    /// Reads the file; the path is for findings. `malformed-json`.
    public static func read(
        _ bytes: [UInt8], path: String
    ) throws(MiniProgramError) -> (configuration: PageConfiguration, findings: [Finding]) {
        let object = try AppConfigurationFile.object(bytes, path)
        var reader = ConfigurationReader(file: path)
        if object["window"] != nil {
            reader.add(
                "wrong-key", "a page's settings stand at the top level, and this file has window", evidence: "window",
                mend: "Move the members of window one level up.")
        }
        let configuration = PageConfiguration(
            window: WindowSettings(
                object, &reader, in: "",
                besides: ["component", "usingComponents", "window", "styleIsolation", "options", "componentGenerics"]),
            isComponent: reader.flag(object["component"], "component") ?? false,
            usingComponents: reader.textMap(object["usingComponents"], "usingComponents"))
        return (configuration, reader.findings)
    }
}

/// `mini.project.json`: how the sources become a package. Both of its shapes are read (mini-programs.md#configuration [O]).
public struct ProjectConfiguration: Sendable, Hashable {
    /// The folder of the mini program inside of the project; empty for the project's own.
    public var miniprogramRoot: String
    /// Whether components have the second life cycle.
    public var component2: Bool
    public var compileOptions: [String: Bool]

    public init(miniprogramRoot: String = "", component2: Bool = false, compileOptions: [String: Bool] = [:]) {
        self.miniprogramRoot = miniprogramRoot
        self.component2 = component2
        self.compileOptions = compileOptions
    }

    /// Reads it leniently. Throws only where the bytes are no JSON object; what is wrong in it is a finding.
    public static func read(_ bytes: [UInt8]) throws(MiniProgramError) -> (configuration: ProjectConfiguration, findings: [Finding]) {
        let object = try AppConfigurationFile.object(bytes, "mini.project.json")
        var reader = ConfigurationReader(file: "mini.project.json")
        // The old shape has the options at the top level.
        let options = object["compileOptions"]?.object ?? object
        var flags: [String: Bool] = [:]
        for member in options.members {
            if let flag = member.value.bool { flags[member.key] = flag }
        }
        let root = ConfigurationPath.route(object["miniprogramRoot"]?.string ?? "")
        if !root.isEmpty, root != ".", !ConfigurationPath.isSafe(root) {
            reader.add(
                "page-path", "miniprogramRoot leaves the project", evidence: root,
                mend: "Name a folder inside of the project, without dots.")
        }
        let configuration = ProjectConfiguration(
            miniprogramRoot: root == "." ? "" : root, component2: flags["component2"] ?? false, compileOptions: flags)
        return (configuration, reader.findings)
    }
}
