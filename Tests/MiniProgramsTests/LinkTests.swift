import MiniPrograms
import Testing

@Suite struct LinkTests {
    private func read(_ text: String) throws -> MiniProgramLink {
        try MiniProgramLink(text, schemes: ["wallet"], hosts: ["wallet.example"])
    }

    private func code(_ text: String) -> MiniProgramError.Code? {
        do {
            _ = try read(text)
            return nil
        } catch { return (error as? MiniProgramError)?.code }
    }

    @Test func ownFormRoundTrips() throws {
        let link = try MiniProgramLink(
            appID: "2026112200000001", page: "pages/cup/index", pageQuery: [.init("id", "7&8"), .init("名", "茶 %")],
            query: [.init("from", "qr")],
            environment: .trial, version: .init(1, 2, 3), source: "code-1", token: "t0k.en")
        let text = link.text(scheme: "wallet")
        #expect(try read(text) == link)
        #expect(try read(text.replacing("wallet://mp/", with: "https://wallet.example/mp/")) == link)
        #expect(try MiniProgramLink(appID: "a").text(scheme: "wallet") == "wallet://mp/a")
    }

    @Test(arguments: [
        ("wallet://mp/", MiniProgramError.Code.notALink), ("other://mp/a", .notALink), ("wallet://xx/a", .notALink),
        ("https://evil.test/mp/a", .notALink),
        ("hello", .notALink), ("wallet://mp/a/../b", .unsafeLink), ("wallet://mp/a/%2e%2e/b", .unsafeLink),
        ("wallet://mp/a/%252e%252e/b", .unsafeLink),
        ("wallet://mp/a?query=%zz", .unsafeLink), ("wallet://mp/a?query=x%3D%2500", .unsafeLink), ("wallet://mp/a?query=%0a", .unsafeLink),
        ("wallet://mp/a b", .unsafeLink), ("wallet://x@mp/a", .unsafeLink), ("wallet://mp\\a", .unsafeLink),
        ("wallet://mp/a?src=1&src=2", .unsafeLink),
        ("wallet://mp/a?env=trial", .missingField), ("wallet://mp/a?env=prod", .malformedField), ("wallet://mp/a?v=1", .malformedVersion),
        ("wallet://mp/a?query=x=1&y=2", .malformedField), ("wallet://mp/a%20b", .malformedField), ("wallet://mp/a/p*ge", .malformedField),
        ("wallet://mp/a\u{200B}", .unsafeLink),
    ])
    func badLinkIsRefused(text: String, expected: MiniProgramError.Code) { #expect(code(text) == expected, "\(text)") }

    @Test func overlongLinkIsRefused() { #expect(code("wallet://mp/a?src=" + String(repeating: "x", count: 3_000)) == .unsafeLink) }

    @Test func alipaysFormRoundTripsAlsoWrapped() throws {
        let link = try MiniProgramLink(
            appID: "2021001", page: "pages/a/a", pageQuery: [.init("x", "1"), .init("y", "2")], query: [.init("s", "a&b")])
        #expect(link.alipayText == "alipays://platformapi/startapp?appId=2021001&page=pages%2Fa%2Fa%3Fx%3D1%26y%3D2&query=s%3Da%2526b")
        #expect(try MiniProgramLink(alipay: link.alipayText) == link)
        let home = try MiniProgramLink(appID: "2021001", pageQuery: [.init("x", "1")])
        #expect(home.alipayText == "alipays://platformapi/startapp?appId=2021001&page=%3Fx%3D1")
        #expect(try MiniProgramLink(alipay: home.alipayText) == home, "the home page keeps its parameters")
        let wrapped =
            "https://ds.alipay.com/?scheme="
            + link.alipayText.replacing("%", with: "%25").replacing("&", with: "%26").replacing("=", with: "%3D").replacing(
                "?", with: "%3F")
        #expect(try MiniProgramLink(alipay: wrapped) == link)
    }

    @Test func truncatedParametersAreNamed() {
        do {
            _ = try MiniProgramLink(alipay: "alipays://platformapi/startapp?appId=1&page=pages/a/a?x=1&y=2")
            Issue.record("taken")
        } catch {
            #expect(error.code == .malformedField && error.reason.contains("\"y\"") && error.reason.contains("percent-encode"))
        }
        #expect(throws: MiniProgramError(code: .notALink, reason: "")) {
            try MiniProgramLink(alipay: "https://ds.alipay.com/?scheme=javascript%3Ax")
        }
    }

    @Test func addressOfTheContainerIsRead() throws {
        let link = try MiniProgramLink(
            ariver: "https://h5.example/x?_ariver_appid=app1&_ariver_path=%2Fpages%2Fa&_ariver_version=1.0.0&k=v")
        #expect(link.appID == "app1" && link.page == "pages/a" && link.version == .init(1, 0, 0) && link.pageQuery == [.init("k", "v")])
        #expect(throws: MiniProgramError(code: .notALink, reason: "")) { try MiniProgramLink(ariver: "https://h5.example/x") }
    }

    @Test func promotionCodeHidesAndGivesBackItsTarget() throws {
        let promotion = PromotionCode(host: "promo.example")
        let target = try MiniProgramLink(appID: "a", query: [.init("campaign", "春")]).text(scheme: "wallet")
        let text = promotion.text(for: target)
        #expect(promotion.canDecodeURLContent(text) && !text.contains("campaign"))
        #expect(promotion.decodeURLContent(text) == DecodedURLContent(decodedURL: target))
        #expect(promotion.decodeURLContent(String(text.dropLast()) + "z").errorCode == "DAMAGED_CODE")
        #expect(promotion.decodeURLContent("https://other.example/p/x").errorCode == "NOT_A_PROMOTION_CODE")
        #expect(!promotion.canDecodeURLContent("http://promo.example/p/x.y"))
    }

    @Test func mostSpecificRuleWins() {
        let rules = [
            LinkRule(host: "Shop.example", path: "/", appID: "all"), LinkRule(host: "shop.example", path: "/t", appID: "tables"),
            LinkRule(host: "shop.example", path: "/t", parameters: ["n": "1"], appID: "ones"),
        ]
        func app(_ text: String) -> String? { LinkRule.link(for: text, by: rules)?.appID }
        #expect(
            app("https://shop.example/x") == "all" && app("https://shop.example/t/4") == "tables" && app("https://shop.example/tt") == "all"
        )
        #expect(app("https://shop.example/t?n=12") == "ones" && app("https://shop.example/t?n=2") == "tables")
        #expect(app("http://shop.example/t") == nil && app("https://shop.example.evil.test/t") == nil)
        #expect(LinkRule.link(for: "https://shop.example/t/4", by: rules)?.pageQuery == [.init("q", "https://shop.example/t/4")])
    }

    @Test func scannedTextGoesItsWay() throws {
        let promotion = PromotionCode(host: "promo.example")
        func route(_ text: String) -> ScannedText {
            ScannedText(
                text, promotion: [promotion], rules: [LinkRule(host: "shop.example", path: "/t", appID: "tables")],
                isPaymentCode: { $0.hasPrefix("https://pay.example/") }, read: { try read($0) })
        }
        let link = try MiniProgramLink(appID: "a")
        #expect(route("wallet://mp/a") == .miniProgram(link) && route(promotion.text(for: "wallet://mp/a")) == .miniProgram(link))
        #expect(route("https://pay.example/281") == .payment("https://pay.example/281"))
        #expect(route("https://x.example/") == .webPage("https://x.example/") && route("6901234567892") == .text("6901234567892"))
        guard case .miniProgram(let table) = route("https://shop.example/t/3") else { return #expect(Bool(false), "no rule") }
        #expect(table.appID == "tables")
        for trick in ["javascript:alert(1)", "https://a@b.example/", "https://x.example/\u{202E}", "http://x.example/"] {
            #expect(route(trick) == .text(trick))
        }
        let nested = promotion.text(for: promotion.text(for: "wallet://mp/a"))
        #expect(route(nested) == .webPage(promotion.text(for: "wallet://mp/a")))
    }
}
