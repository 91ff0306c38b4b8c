/// What a built-in component knows, for `canIUse` and lint (mini-programs.md#built-in-components).
public struct BuiltInComponent: Sendable, Hashable {
    public var tag: String
    /// In kebab-case; real code writes camelCase too [O].
    public var attributes: Set<String>
    /// Without their `on`, beginning in lower case.
    public var events: Set<String>
    /// The documented values of attributes that have a fixed set.
    public var values: [String: Set<String>]

    public init(_ tag: String, _ attributes: String = "", events: String = "", values: [String: Set<String>] = [:]) {
        self.tag = tag
        self.attributes = Set(attributes.split(separator: " ").map(String.init))
        self.events = Set(events.split(separator: " ").map(String.init))
        self.values = values
    }
}

/// The built-in components by tag.
public struct ComponentCatalogue: Sendable {
    public private(set) var components: [String: BuiltInComponent]

    public init(_ components: [BuiltInComponent]) {
        self.components = Dictionary(components.map { ($0.tag, $0) }, uniquingKeysWith: { _, last in last })
    }

    static let touch = "tap longTap touchStart touchMove touchEnd touchCancel"

    public static let standard = ComponentCatalogue([
        BuiltInComponent(
            "view", "hidden disable-scroll hover-class hover-start-time hover-stay-time animation id class style role",
            events: touch + " transitionEnd appear firstAppear disappear"),
        BuiltInComponent("text", "selectable number-of-lines space decode", events: "tap"),
        BuiltInComponent("image", "src mode lazy-load default-source", events: "load error tap"),
        BuiltInComponent(
            "button", "size type plain disabled loading hover-class form-type open-type scope", events: "tap getAuthorize error",
            values: [
                "open-type": ["share", "getAuthorize", "contactShare", "lifestyle"], "type": ["default", "primary", "warn", "ghost"],
                "size": ["default", "mini"], "form-type": ["submit", "reset"],
            ]),
        BuiltInComponent(
            "input",
            "value name type password placeholder placeholder-class placeholder-style disabled maxlength focus confirm-type controlled "
                + "enable-native random-number",
            events: "input confirm focus blur", values: ["type": ["text", "number", "idcard", "digit", "numberpad"]]),
        BuiltInComponent(
            "textarea",
            "value name placeholder placeholder-class placeholder-style disabled maxlength focus auto-height show-count controlled",
            events: "input confirm focus blur"),
        BuiltInComponent("form", events: "submit reset"), BuiltInComponent("label", "for"),
        BuiltInComponent("checkbox", "value checked disabled controlled color", events: "change"),
        BuiltInComponent("checkbox-group", "name", events: "change"),
        BuiltInComponent("radio", "value checked disabled controlled color", events: "change"),
        BuiltInComponent("radio-group", "name", events: "change"),
        BuiltInComponent("switch", "name checked disabled controlled color", events: "change"),
        BuiltInComponent(
            "slider", "name value min max step show-value disabled track-size handle-size handle-color active-color background-color",
            events: "change changing"),
        BuiltInComponent("picker", "range range-key value disabled title", events: "change cancel"),
        BuiltInComponent("picker-view", "value indicator-style indicator-class", events: "change"),
        BuiltInComponent("picker-view-column"),
        BuiltInComponent(
            "scroll-view",
            "scroll-x scroll-y scroll-top scroll-left scroll-into-view scroll-with-animation upper-threshold lower-threshold trap-scroll",
            events: "scroll scrollToUpper scrollToLower " + touch),
        BuiltInComponent(
            "swiper",
            "indicator-dots indicator-color indicator-active-color autoplay interval duration current circular vertical previous-margin "
                + "next-margin acceleration", events: "change transition animationEnd"),
        BuiltInComponent("swiper-item"),
        BuiltInComponent(
            "navigator", "url open-type hover-class",
            values: ["open-type": ["navigate", "redirect", "switchTab", "navigateBack", "reLaunch"]]),
        BuiltInComponent("icon", "type size color"),
        BuiltInComponent("progress", "percent show-info stroke-width active active-color background-color color"),
        BuiltInComponent("movable-area"),
        BuiltInComponent("movable-view", "direction x y out-of-bounds damping disabled", events: "change changeEnd " + touch),
        BuiltInComponent("web-view", "src id enable-wk", events: "message load error"),
        BuiltInComponent("canvas", "id width height type disable-scroll", events: "ready " + touch),
        BuiltInComponent("cover-view", events: "tap"), BuiltInComponent("cover-image", "src", events: "tap"),
        BuiltInComponent("rich-text", "nodes"),
    ])
}

extension JSAPICatalogue {
    /// Answers `my.canIUse` (mini-programs.md#calls): `request`, `request.object.timeout`, `request.return.status`, `component2`, `button`,
    /// `button.open-type`, `button.open-type.getAuthorize`, `movable-view.onTouchStart`.
    ///
    /// It speaks of what there is, not of what this mini program may call. Names are taken in kebab-case and camelCase.
    public func canIUse(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let first = parts.first, (1...4).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else { return false }
        if abilities.contains(text) { return true }
        if let interface = self[first] { return Self.has(interface, parts.dropFirst()) }
        guard let component = components.components[Self.kebab(first)] else { return false }
        return Self.has(component, parts.dropFirst())
    }

    private static func has(_ interface: JSAPI, _ rest: ArraySlice<String>) -> Bool {
        guard let kind = rest.first else { return true }
        guard let member = rest.dropFirst().first else { return ["object", "return", "callback"].contains(kind) }
        guard rest.count == 2 else { return false }
        switch kind {
        case "object": return ["success", "fail", "complete"].contains(member) || interface.arguments.contains { $0.name == member }
        case "return", "callback": return interface.answers.contains(member)
        default: return false
        }
    }

    private static func has(_ component: BuiltInComponent, _ rest: ArraySlice<String>) -> Bool {
        guard let member = rest.first else { return true }
        if member.hasPrefix("on"), let initial = member.dropFirst(2).first, initial.isUppercase {
            let event = initial.lowercased() + member.dropFirst(3)
            return rest.count == 1 && component.events.contains(event)
        }
        let attribute = kebab(member)
        guard component.attributes.contains(attribute) else { return false }
        guard let value = rest.dropFirst().first else { return true }
        return rest.count == 2 && component.values[attribute]?.contains(value) == true
    }

    static func kebab(_ text: String) -> String {
        text.reduce(into: "") { result, letter in result += letter.isUppercase ? "-\(letter.lowercased())" : String(letter) }
    }
}
