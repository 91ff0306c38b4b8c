/// What somebody's own program needs to take a role in the sandbox, and what to build first.
package struct ConnectGuide: Sendable {
    /// The same words in each language of the pages.
    package struct Text: Sendable, Hashable {
        package var english: String
        package var chinese: String

        package init(_ english: String, _ chinese: String) {
            self.english = english
            self.chinese = chinese
        }

        func text(in language: ConnectLanguage) -> String {
            switch language {
            case .english: english
            case .chinese: chinese
            }
        }
    }

    /// An address or a key, under the name that it has in the environment.
    package struct Value: Sendable, Hashable {
        package var name: String
        /// Of one line. A key of the sandbox stands here as it is: the page is for whoever is to use it.
        package var value: String
        package var meaning: Text

        package init(_ name: String, _ value: String, meaning: Text) {
            self.name = name
            self.value = value
            self.meaning = meaning
        }
    }

    /// One thing to build, in the order in which it is needed.
    package struct Step: Sendable, Hashable {
        package var title: Text
        package var text: Text
        /// What to type in a shell that has read the environment's file; `nil` where nothing is typed.
        package var command: String?

        package init(_ title: Text, _ text: Text, command: String? = nil) {
            self.title = title
            self.text = text
            self.command = command
        }
    }

    /// The last part of the page's path, and of the environment file's name.
    package var slug: String
    package var title: Text
    package var summary: Text
    package var values: [Value]
    package var steps: [Step]

    package init(slug: String, title: Text, summary: Text, values: [Value], steps: [Step]) {
        self.slug = slug
        self.title = title
        self.summary = summary
        self.values = values
        self.steps = steps
    }

    /// The values as lines that a shell reads with `set -a`, and that libraries for `.env` files read.
    package var environment: String {
        values.map { "\($0.name)='\($0.value.replacing("'", with: #"'\''"#))'\n" }.joined()
    }
}

/// A language in which a guide is read.
package enum ConnectLanguage: String, Sendable, Hashable, CaseIterable {
    case english = "en"
    case chinese = "zh"

    /// The one that an address names, or else the first of a browser's that there is; English where there is none.
    ///
    /// - Parameters:
    ///   - named: The address's `language`.
    ///   - accepted: A header `Accept-Language`, whose order is taken and whose weights are not.
    package init(named: String?, accepted: String?) {
        let wishes = [named].compactMap { $0 } + (accepted ?? "").split(separator: ",").map(String.init)
        let codes = wishes.lazy.map { String($0.drop { $0 == " " }.prefix(2)).lowercased() }
        self = codes.compactMap(Self.init(rawValue:)).first ?? .english
    }
}
