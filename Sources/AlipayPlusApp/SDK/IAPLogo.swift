public import Foundation

/// One image of the row. A text that the published file leaves out is empty.
#if canImport(ObjectiveC)
    @objcMembers
#endif
public final class IAPLogo: NSObject, NSCoding, Sendable {
    /// The wallet's or the brand's name.
    public let logoName: String
    /// Where the image is.
    public let logoUrl: String
    /// The pattern that it was made for.
    public let logoPattern: String
    /// In pixels.
    public let logoWidth: String
    /// In pixels.
    public let logoHeight: String

    public init(logoName: String = "", logoUrl: String = "", logoPattern: String = "", logoWidth: String = "", logoHeight: String = "") {
        self.logoName = logoName
        self.logoUrl = logoUrl
        self.logoPattern = logoPattern
        self.logoWidth = logoWidth
        self.logoHeight = logoHeight
    }

    public convenience init(coder: NSCoder) {
        func text(_ key: String) -> String { coder.containsValue(forKey: key) ? coder.decodeObject(forKey: key) as? String ?? "" : "" }
        self.init(
            logoName: text("logoName"), logoUrl: text("logoUrl"), logoPattern: text("logoPattern"), logoWidth: text("logoWidth"),
            logoHeight: text("logoHeight"))
    }

    /// Keeps the five texts; an archive gives them back.
    public func encode(with coder: NSCoder) {
        let texts = [
            "logoName": logoName, "logoUrl": logoUrl, "logoPattern": logoPattern, "logoWidth": logoWidth, "logoHeight": logoHeight,
        ]
        for (key, text) in texts { coder.encode(text as NSString, forKey: key) }
    }
}
