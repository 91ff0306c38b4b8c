import Testing
import UIKitSimulator

struct PictureTests {
    /// The beginning of a file of 3 by 2 pixels, as each kind writes it.
    private static let png = Data(
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 3, 0, 0, 0, 2, 8, 6, 0, 0, 0])
    private static let gif = Data([0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 3, 0, 2, 0, 0])
    private static let jpeg = Data(
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC0, 0, 11, 8, 0, 2, 0, 3, 1, 1, 0x11, 0, 0xFF, 0xD9])

    @Test(arguments: [png, gif, jpeg]) func aFilesSizeIsRead(file: Data) throws {
        let picture = try #require(UIImage(data: file))
        #expect(picture.size == CGSize(width: 3, height: 2) && picture.scale == 1)
        #expect(picture.cgImage?.width == 3 && picture.cgImage?.height == 2)
        #expect(UIImage(data: file, scale: 2)?.size == CGSize(width: 1.5, height: 1))
    }

    @Test func whatIsNoPictureGivesNone() {
        for length in 0..<24 { #expect(UIImage(data: Self.png.prefix(length)) == nil) }
        for length in 0..<16 { #expect(UIImage(data: Self.jpeg.prefix(length)) == nil) }
        for length in 0..<9 { #expect(UIImage(data: Self.gif.prefix(length)) == nil) }
        #expect(UIImage(data: Data("<html>no picture at all</html>".utf8)) == nil && UIImage(data: Self.png, scale: 0) == nil)
        #expect(UIImage(data: Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])) == nil, "a length of nothing leads on")
        #expect(UIImage(contentsOfFile: "nowhere.png") == nil && UIImage(systemName: "") == nil)
        #expect(UIImage().size == .zero && UIImage().cgImage == nil)
    }

    @Test func bytesAreGivenBackAsTheyCame() {
        #expect(UIImage(data: Self.png)?.pngData() == Self.png && UIImage(data: Self.png)?.jpegData(compressionQuality: 1) == nil)
        #expect(UIImage(data: Self.jpeg)?.jpegData(compressionQuality: 0.5) == Self.jpeg && UIImage(data: Self.jpeg)?.pngData() == nil)
        let tinted = UIImage(data: Self.png)?.withRenderingMode(.alwaysTemplate).withTintColor(.red, renderingMode: .alwaysOriginal)
        #expect(
            tinted?.renderingMode == .alwaysOriginal && tinted?.pngData() == Self.png && UIImage(data: Self.png)?.withTintColor(.red) != nil
        )
    }

    @Test func assetsAreThoseThatTheScreenHas() {
        let screen = SimulatedScreen()
        SimulatedScreen.$bound.withValue(screen) {
            #expect(
                UIImage(named: "logo")?.size == CGSize(width: 30, height: 30) && UIColor(named: "brand") != nil && UIImage(named: "") == nil
            )
            screen.assetNames = ["logo"]
            #expect(UIImage(named: "logo") != nil && UIImage(named: "log") == nil && UIColor(named: "brand") == nil)
            #expect(UIImage(named: "logo", in: nil, compatibleWith: nil)?.cgImage?.width == 90)
        }
        #expect(screen.faults.map(\.code) == [.assetNotFound, .assetNotFound])
        #expect(UIImage(cgImage: CGImage(width: 4, height: 5)).size == CGSize(width: 4, height: 5))
        let look = UIImage.SymbolConfiguration(pointSize: 20, weight: .bold)
        #expect(UIImage(systemName: "checkmark", withConfiguration: look)?.size.width == 20)
    }

    @Test func coloursAreEqualByTheirParts() {
        let (light, dark) = (UITraitCollection(userInterfaceStyle: .light), UITraitCollection(userInterfaceStyle: .dark))
        let paper = UIColor { $0.userInterfaceStyle == .dark ? .black : .white }
        #expect(paper == .white && paper.resolvedColor(with: dark) == .black && paper.resolvedColor(with: light) == .white)
        #expect(
            UIColor.red.resolvedColor(with: dark) == .red && UIColor.red.cgColor == UIColor(red: 1, green: 0, blue: 0, alpha: 1).cgColor)
        #expect(UIColor(cgColor: CGColor(red: 0, green: 0, blue: 1, alpha: 1)) == .blue && UIColor.red.hash == UIColor.red.hash)
        #expect(UIColor.black.withAlphaComponent(0) == .clear && UIColor.systemRed != .red)
        #expect(light.horizontalSizeClass == .compact && light.verticalSizeClass == .regular && light.displayScale == 3)
    }

    @Test func fontsHaveTheSizesOfADevice() {
        #expect(
            UIFont.preferredFont(forTextStyle: .largeTitle).pointSize == 34 && UIFont.preferredFont(forTextStyle: .body).pointSize == 17)
        #expect(UIFont(name: "PingFangSC-Regular", size: 12)?.withSize(14).fontName == "PingFangSC-Regular")
        #expect(
            UIFont.monospacedDigitSystemFont(ofSize: 9, weight: .medium).pointSize == 9 && UIFont.italicSystemFont(ofSize: 8).pointSize == 8
        )
        #expect(
            CGRect(x: 0, y: 0, width: 10, height: 10).inset(by: UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4))
                == CGRect(x: 2, y: 1, width: 4, height: 6))
    }

    @MainActor @Test func aViewHasALayerAndItsPicture() {
        let view = UIImageView(image: UIImage(named: "logo"))
        view.layer.cornerRadius = 8
        view.layer.borderColor = UIColor.red.cgColor
        view.frame = CGRect(x: 10, y: 10, width: 20, height: 40)
        #expect(view.layer.bounds.height == 40 && view.center == CGPoint(x: 20, y: 30) && view.intrinsicContentSize.width == 30)
        view.center = .zero
        view.bounds = CGRect(x: 0, y: 0, width: 2, height: 2)
        #expect(view.frame == CGRect(x: -10, y: -20, width: 2, height: 2))
        let (low, high) = (CALayer(), CALayer())
        view.layer.addSublayer(high)
        view.layer.insertSublayer(low, at: 0)
        #expect(view.layer.sublayers?.first === low && view.layer.sublayers?.last === high)
        let label = UILabel()
        label.attributedText = NSAttributedString(string: "¥33", attributes: [.font: UIFont.boldSystemFont(ofSize: 20)])
        #expect(label.text == "¥33")
        label.text = nil
        #expect(label.attributedText == nil)
    }
}
