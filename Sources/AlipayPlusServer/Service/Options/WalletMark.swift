import AlipayPlusValues
import BillfoldMoney

/// Pictures for wallets: letters on a coloured tile. They are ours and look like nobody's logo, so that every wallet can have one.
enum WalletMark {
    /// Of the picture of one wallet, in pixels.
    static let side = 48

    /// Where one wallet's picture is published.
    static func logoPath(_ type: String) -> String { "/alipay-plus/logos/\(type).svg" }

    /// One wallet's picture.
    static func svg(_ type: String, _ brand: String) -> String {
        picture(width: side, height: side, label: brand, tile(type, brand, x: 0, y: 0, side: side))
    }

    /// The row that a merchant shows: a word for Alipay+ with the wallets' marks beside it, or below it.
    static func row(_ wallets: [PartnerWallet], _ layout: LogoPattern.Layout) -> (svg: String, width: Int, height: Int) {
        let (step, word) = (36, 88)
        let isAbove = layout == .markAbove
        let (left, top) = isAbove ? (0, step) : (word + 8, 0)
        let marks = wallets.enumerated().map { tile($0.element.type, $0.element.brand, x: left + $0.offset * step, y: top, side: 32) }
        let width = max(word, left + wallets.count * step)
        let height = isAbove ? 2 * step : 32
        let frame = ##"<rect x="1" y="1" width="\##(word - 2)" height="30" rx="4" fill="#fff" stroke="#1c1b18"/>"##
        let text = ##"<text x="\##(word / 2)" y="21" font-size="15" text-anchor="middle" fill="#1c1b18">Alipay+</text>"##
        return (picture(width: width, height: height, label: "Alipay+", frame + text + marks.joined()), width, height)
    }

    private static func picture(width: Int, height: Int, label: String, _ content: String) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" role="img" \
        aria-label="\(escaped(label))" font-family="sans-serif">\(content)</svg>
        """
    }

    private static func tile(_ type: String, _ brand: String, x: Int, y: Int, side: Int) -> String {
        let hue = type.utf8.reduce(7) { ($0 * 31 + Int($1)) % 360 }
        let middle = side / 2
        return """
            <rect x="\(x)" y="\(y)" width="\(side)" height="\(side)" rx="\(side / 5)" fill="hsl(\(hue),55%,30%)"/>\
            <text x="\(x + middle)" y="\(y + middle + side / 7)" font-size="\(side * 2 / 5)" text-anchor="middle" fill="#fff">\
            \(escaped(letters(of: brand)))</text>
            """
    }

    /// The first letters of its first two words, or its first two.
    static func letters(of brand: String) -> String {
        let words = brand.split { !$0.isLetter && !$0.isNumber }
        if words.count > 1 { return words.prefix(2).compactMap(\.first).map { String($0).uppercased() }.joined() }
        return String((words.first ?? "?").prefix(2))
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "<": "&lt;"
            case ">": "&gt;"
            case "&": "&amp;"
            case "\"": "&quot;"
            case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}": "\u{fffd}"
            default: String(scalar)
            }
        }.joined()
    }
}
