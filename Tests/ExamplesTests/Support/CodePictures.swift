import BillfoldWeb

/// Pictures as a person takes them.
enum CodePictures {
    static func qrCode(_ text: String) throws -> [UInt8] { try QRCode(text).greymap(scale: 6) }
}
