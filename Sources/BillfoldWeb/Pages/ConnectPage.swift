/// `/connect`: the roles that somebody's own program can take.
package struct ConnectPage: Sendable {
    private struct Entry: Sendable {
        let path: String
        let title: String
        let summary: String
    }

    private let frame: PageFrame
    private let language: String
    private let words: ConnectWords
    private let entries: [Entry]

    package init(frame: PageFrame = PageFrame(), _ guides: [ConnectGuide], in language: ConnectLanguage = .english) {
        self.frame = frame
        self.language = language.rawValue
        words = ConnectWords(language, path: "/connect")
        entries = guides.map { guide in
            Entry(
                path: ConnectWords.path(of: guide, in: language), title: guide.title.text(in: language),
                summary: guide.summary.text(in: language))
        }
    }

    package func html() throws(WebError) -> String {
        try frame.render("console/connect", title: words.title, path: PageFrame.connectLink.path, self)
    }
}

/// `/connect/{role}`: addresses and keys of one role, and what to build first.
package struct ConnectGuidePage: Sendable {
    private struct Value: Sendable {
        let name: String
        let value: String
        let meaning: String
    }

    private struct Step: Sendable {
        let title: String
        let text: String
        let command: String?
    }

    private let frame: PageFrame
    private let language: String
    private let words: ConnectWords
    private let title: String
    private let summary: String
    private let environmentPath: String
    private let fileName: String
    private let values: [Value]
    private let steps: [Step]

    package init(frame: PageFrame = PageFrame(), _ guide: ConnectGuide, in language: ConnectLanguage = .english) {
        self.frame = frame
        self.language = language.rawValue
        words = ConnectWords(language, path: ConnectWords.path(of: guide))
        title = guide.title.text(in: language)
        summary = guide.summary.text(in: language)
        environmentPath = ConnectWords.path(of: guide) + "/environment"
        fileName = "billfold-\(guide.slug).env"
        values = guide.values.map { Value(name: $0.name, value: $0.value, meaning: $0.meaning.text(in: language)) }
        steps = guide.steps.map {
            Step(title: $0.title.text(in: language), text: $0.text.text(in: language), command: $0.command)
        }
    }

    package func html() throws(WebError) -> String {
        try frame.render(
            "console/connect-guide", title: title, path: PageFrame.connectLink.path, styles: ["console/story.css"],
            scripts: ["console/copy.js"], self)
    }
}

/// What the pages themselves say, in one language.
struct ConnectWords: Sendable {
    let title: String
    let lede: String
    let values: String
    let valuesHint: String
    let copy: String
    let copied: String
    let download: String
    let steps: String
    let all: String
    let allPath: String
    let another: String
    let anotherLanguage: String
    let anotherPath: String

    /// - Parameter path: The page's own, which the other language has too.
    init(_ language: ConnectLanguage, path: String) {
        switch language {
        case .english:
            title = "Connect your own"
            lede =
                "Put a program of your own in the place of one that is played here: the other parties stay, and every message can be read."
            values = "Addresses and keys"
            valuesHint = "Made for this sandbox, worth nothing elsewhere. Read them into a shell with"
            (copy, copied, download) = ("Copy", "Copied", "Download as a file")
            steps = "What to build first"
            all = "All roles"
            (another, anotherLanguage) = ("中文", "zh")
        case .chinese:
            title = "接入你自己的程序"
            lede = "用你自己的程序替换这里扮演的一方：其余各方照常运行，每一条报文都可以查看。"
            values = "地址和密钥"
            valuesHint = "仅为本沙箱生成，在别处没有任何价值。在终端中读入："
            (copy, copied, download) = ("复制", "已复制", "下载为文件")
            steps = "先做什么"
            all = "全部角色"
            (another, anotherLanguage) = ("English", "en")
        }
        allPath = "\(PageFrame.connectLink.path)?language=\(language.rawValue)"
        anotherPath = "\(path)?language=\(anotherLanguage)"
    }

    static func path(of guide: ConnectGuide) -> String { "\(PageFrame.connectLink.path)/\(PathSegment.encoded(guide.slug))" }

    static func path(of guide: ConnectGuide, in language: ConnectLanguage) -> String { path(of: guide) + "?language=\(language.rawValue)" }
}
