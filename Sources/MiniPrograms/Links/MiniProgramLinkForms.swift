import PaymentCrypto

/// The forms in which links to mini programs are written.
extension MiniProgramLink {
    /// `<scheme>://mp/<appId>[/<page path>]?pq=…&query=…&env=…&v=…&src=…&sig=…`: this platform's own (mini-programs.md#link-forms [I]).
    ///
    /// `pq` holds the page's parameters and `query` the app's, each percent-encoded as a whole; `sig` the token of a trial or develop link.
    public func text(scheme: String) -> String {
        var text = "\(scheme)://mp/\(appID)"
        if let page { text += "/\(page)" }
        var items: [QueryItem] = []
        if !pageQuery.isEmpty { items.append(QueryItem("pq", Self.text(of: pageQuery))) }
        if !query.isEmpty { items.append(QueryItem("query", Self.text(of: query))) }
        if environment != .release { items.append(QueryItem("env", environment.rawValue)) }
        if let version { items.append(QueryItem("v", version.description)) }
        if let source { items.append(QueryItem("src", source)) }
        if let token { items.append(QueryItem("sig", token)) }
        return items.isEmpty ? text : text + "?" + Self.text(of: items)
    }

    /// Reads this platform's own form, of one of its schemes or below `https://<host>/mp/`. `not-a-link`, `unsafe-link`, `malformed-field`.
    public init(_ text: String, schemes: Set<String>, hosts: Set<String> = []) throws(MiniProgramError) {
        let (scheme, host, path, query) = try LinkText.parts(text)
        var parts = path.split(separator: "/").map(String.init)
        if scheme == "https", hosts.contains(host), parts.first == "mp" {
            parts.removeFirst()
        } else if !schemes.contains(scheme) || host != "mp" {
            throw MiniProgramError(code: .notALink, reason: "the link opens no mini program here")
        }
        guard let appID = parts.first else { throw MiniProgramError(code: .notALink, reason: "the link names no mini program") }
        let raw = try LinkText.raw(query)
        func value(_ name: String) throws(MiniProgramError) -> String? {
            guard let text = raw[name] else { return nil }
            return try LinkText.decoded(text, name)
        }
        if let unknown = raw.keys.filter({ !["pq", "query", "env", "v", "src", "sig"].contains($0) }).min() {
            throw MiniProgramError(
                code: .malformedField,
                reason: "\(MiniProgramError.quoted(unknown)) is no part of a link; was pq or query not percent-encoded as a whole?")
        }
        let environment = try value("env").map { Environment(rawValue: $0) } ?? .release
        guard let environment else { throw MiniProgramError(code: .malformedField, reason: "env is none of release, trial and develop") }
        let version = try value("v").map { MiniProgramVersion(text: $0) }
        if case .some(.none) = version { throw MiniProgramError(code: .malformedVersion, reason: "v is no version") }
        let token = try value("sig")
        guard environment == .release || token?.isEmpty == false else {
            throw MiniProgramError(code: .missingField, reason: "a link to a \(environment.rawValue) build needs sig")
        }
        try self.init(
            appID: appID, page: parts.count > 1 ? parts.dropFirst().joined(separator: "/") : nil,
            pageQuery: try Self.items(of: try value("pq") ?? ""),
            query: try Self.items(of: try value("query") ?? ""), environment: environment, version: version ?? nil,
            source: try value("src"),
            token: token)
    }

    /// `alipays://platformapi/startapp?appId=…&page=…&query=…`, as Alipay in China writes it (mini-programs.md#link-forms [D]).
    public var alipayText: String {
        var text = "alipays://platformapi/startapp?appId=\(appID)"
        // The home page may have parameters too.
        let full = (page ?? "") + (pageQuery.isEmpty ? "" : "?\(Self.text(of: pageQuery))")
        if !full.isEmpty { text += "&page=\(PercentEncoding.encode(full.utf8))" }
        if !query.isEmpty { text += "&query=\(PercentEncoding.encode(Self.text(of: query).utf8))" }
        return text
    }

    /// Reads that form, also in its https wrapper `https://ds.alipay.com/?scheme=…`.
    ///
    /// A page or query that was not percent-encoded as a whole loses all but its first pair: what was lost is refused by name
    /// (`malformed-field`) and not dropped.
    public init(alipay text: String) throws(MiniProgramError) {
        let (scheme, host, path, query) = try LinkText.parts(text)
        let raw = try LinkText.raw(query)
        if scheme == "https", host == "ds.alipay.com", let wrapped = raw["scheme"] {
            let inner = try LinkText.decoded(wrapped, "scheme")
            guard inner.hasPrefix("alipays://") else {
                throw MiniProgramError(code: .notALink, reason: "the wrapper holds no alipays link")
            }
            self = try MiniProgramLink(alipay: inner)
            return
        }
        guard scheme == "alipays", host == "platformapi", path == "/startapp", let appID = raw["appId"] else {
            throw MiniProgramError(code: .notALink, reason: "the text is no alipays link to a mini program")
        }
        let known: Set<String> = [
            "appId", "page", "query", "chInfo", "enbsv", "appClearTop", "startMultApp", "nbupdate", "nbsource", "nbsn",
        ]
        if let lost = raw.keys.filter({ !known.contains($0) }).min() {
            throw MiniProgramError(
                code: .malformedField,
                reason: "\(MiniProgramError.quoted(lost)) stands outside of page and query: percent-encode them as a whole")
        }
        let page = try LinkText.decoded(raw["page"] ?? "", "page")
        let route = ConfigurationPath.route(String(page.prefix { $0 != "?" }))
        try self.init(
            appID: try LinkText.decoded(appID, "appId"), page: route.isEmpty ? nil : route,
            pageQuery: try Self.items(of: page.drop { $0 != "?" }.dropFirst()),
            query: try Self.items(of: try LinkText.decoded(raw["query"] ?? "", "query")))
    }

    /// Reads `https://…?_ariver_appid=…&_ariver_path=…&_ariver_version=…`, with which an app opens a mini program
    /// (mini-programs.md#opening-a-program [D]).
    ///
    /// What else the query has is the page's. The host is not looked at: hold it against a list before.
    public init(ariver text: String) throws(MiniProgramError) {
        let (scheme, _, _, query) = try LinkText.parts(text)
        let raw = try LinkText.raw(query)
        guard scheme == "https" || scheme == "http", let appID = raw["_ariver_appid"] else {
            throw MiniProgramError(code: .notALink, reason: "the address has no _ariver_appid")
        }
        let path = ConfigurationPath.route(try LinkText.decoded(raw["_ariver_path"] ?? "", "_ariver_path"))
        let rest = query.split(separator: "&").filter { !$0.hasPrefix("_ariver_") }.joined(separator: "&")
        let version = try LinkText.decoded(raw["_ariver_version"] ?? "", "_ariver_version")
        try self.init(
            appID: try LinkText.decoded(appID, "_ariver_appid"), page: path.isEmpty ? nil : path, pageQuery: try Self.items(of: rest),
            version: version.isEmpty ? nil : MiniProgramVersion(text: version))
    }
}
