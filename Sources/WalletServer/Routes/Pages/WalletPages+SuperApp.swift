import MiniPrograms

extension WalletPages {
    /// What a mini program asks to know, a line for each scope (mini-programs.md#steps, step 10).
    func consent(
        _ question: ConsentService.Question, of customer: WalletAccount, side: WalletConfiguration.SuperApp, _ reader: Reader
    ) throws -> String {
        let profile = question.app.profile
        let page = ConsentPage(
            path: reader.path, scopes: question.shown, lines: question.scopes.map { ScopeText.line($0, reader.texts) },
            askingAs: reader.texts(.askingAs, ["name": "\(customer.name) (\(customer.maskedLogin))"]),
            initial: profile.name.first.map(String.init) ?? "?", slogan: profile.slogan,
            logo: profile.logo.flatMap { $0.hasPrefix(side.origin + "/") ? String($0.dropFirst(side.origin.count)) : nil })
        return try draw("consent", title: reader.texts(.consentTitle, ["name": profile.name]), for: reader, page: page)
    }

    private struct ConsentPage {
        var path: String
        var scopes: String
        var lines: [String]
        var askingAs: String
        var initial: String
        var slogan: String?
        /// From the wallet's own origin alone: another server would learn who reads the page.
        var logo: String?
    }

    /// A contract for automatic debit before it is signed.
    func contract(
        _ contract: SuperAppAuthorizationService.UnsignedContract, app: HostedMiniProgram, path: String, problem: String? = nil,
        _ reader: Reader
    ) throws -> String {
        let page = ContractPage(
            path: path, program: app.profile.name, merchant: contract.client.name, terms: contract.terms, problem: problem)
        return try draw("contract", title: reader.texts(.contractTitle, ["name": contract.client.name]), for: reader, page: page)
    }

    private struct ContractPage {
        var path: String
        var program: String
        var merchant: String
        var terms: String
        var problem: String?
    }

    /// What is seen for a moment on the way to an app, and for longer where no app takes the address.
    func leaving(to address: String, name: String, _ reader: Reader) throws -> String {
        try draw(
            "leaving", title: reader.texts[.leavingTitle], for: reader,
            page: LeavingPage(wayBack: address, backLabel: reader.texts(.backToMerchant, ["payee": name])))
    }

    private struct LeavingPage {
        var wayBack: String
        var backLabel: String
    }
}

/// Scopes in a person's words (mini-programs.md#scopes).
enum ScopeText {
    private static let texts: [String: WalletText] = [
        "auth_user": .scopeProfile, "USER_INFO": .scopeProfile, "USER_LOGIN_ID": .scopeLogin, "HASH_LOGIN_ID": .scopeLoginHash,
        "USER_NICKNAME": .scopeNickname, "USER_NAME": .scopeName, "USER_AVATAR": .scopeAvatar, "USER_GENDER": .scopeGender,
        "USER_BIRTHDAY": .scopeBirthday, "USER_NATIONALITY": .scopeNationality, "USER_CONTACTINFO": .scopeContact,
        "SEND_MESSAGE": .scopeMessages, "NOTIFICATION_INBOX": .scopeMessages, "CARD_LIST": .scopeCards,
    ]

    /// A scope that has no words is shown by its name: nothing is hidden from whoever agrees.
    static func line(_ scope: String, _ table: WalletTexts) -> String { texts[scope].map { table[$0] } ?? scope }
}
