import MiniPrograms

extension WalletPages {
    /// What a mini program asks to know, a line for each scope (mini-programs.md#steps, step 10).
    func consent(
        _ question: ConsentDesk.Question, of customer: WalletAccount, _ side: WalletConfiguration.SuperApp, _ reader: Reader
    ) throws -> String {
        var model: [String: Any] = [
            "path": reader.path, "scopes": question.shown, "lines": question.scopes.map { ScopeText.line($0, reader.texts) },
            "askingAs": reader.texts(.askingAs, ["name": "\(customer.name) (\(customer.maskedLogin))"]),
        ]
        program(question.app, side, &model)
        return try draw("consent", reader.texts(.consentTitle, ["name": question.app.profile.name]), reader, model)
    }

    /// A contract for automatic debit before it is signed.
    func contract(
        _ contract: AuthorizationService.UnsignedContract, _ app: HostedMiniProgram, path: String, problem: String? = nil, _ reader: Reader
    ) throws -> String {
        var model: [String: Any] = [
            "path": path, "program": app.profile.name, "merchant": contract.client.name, "terms": contract.terms,
        ]
        model["problem"] = problem
        return try draw("contract", reader.texts(.contractTitle, ["name": contract.client.name]), reader, model)
    }

    /// What is seen for a moment on the way to an app, and for longer where no app takes the address.
    func leaving(to address: String, name: String, _ reader: Reader) throws -> String {
        try draw(
            "leaving", reader.texts[.leavingTitle], reader,
            ["wayBack": address, "backLabel": reader.texts(.backToMerchant, ["payee": name])])
    }

    /// A picture is shown from the wallet's own origin alone: another server would learn who reads the page.
    private func program(_ app: HostedMiniProgram, _ side: WalletConfiguration.SuperApp, _ model: inout [String: Any]) {
        model["program"] = app.profile.name
        model["initial"] = app.profile.name.first.map(String.init) ?? "?"
        model["slogan"] = app.profile.slogan
        if let logo = app.profile.logo, logo.hasPrefix(side.origin + "/") { model["logo"] = String(logo.dropFirst(side.origin.count)) }
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
