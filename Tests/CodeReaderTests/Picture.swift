import BillfoldWeb
import Foundation

/// A grey picture, drawn by hand.
struct Picture {
    var width: Int
    var height: Int
    /// Row by row; 255 is white.
    var grey: [UInt8]

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        grey = [UInt8](repeating: 255, count: width * height)
    }

    init(_ code: QRCode, scale: Int) { self.init(code.greymap(scale: scale)) }

    /// EAN-13, three pixels to a module.
    init(ean13 digits: String) throws { self.init(try BarCode(ean13: digits).greymap(scale: 3)) }

    /// Reads what codes are drawn as: a head of three lines, then a byte for each pixel.
    private init(_ greymap: [UInt8]) {
        let head = greymap.split(separator: 0x0a, maxSplits: 3, omittingEmptySubsequences: false)
        let sides = String(decoding: head[1], as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        self.init(width: sides[0], height: sides[1])
        grey = Array(head[3])
    }

    /// Turned around its middle, on a canvas that holds all of it.
    func turned(by degrees: Double) -> Picture {
        let angle = degrees * .pi / 180
        let (sine, cosine) = (sin(angle), cos(angle))
        let side = Int((Double(width * width + height * height)).squareRoot()) + 40
        var result = Picture(width: side, height: side)
        let middle = Double(side) / 2
        for row in 0..<side {
            for column in 0..<side {
                let (x, y) = (Double(column) - middle, Double(row) - middle)
                let (sourceX, sourceY) = (Int(x * cosine + y * sine + Double(width) / 2), Int(y * cosine - x * sine + Double(height) / 2))
                guard (0..<width).contains(sourceX), (0..<height).contains(sourceY) else { continue }
                result.grey[row * side + column] = grey[sourceY * width + sourceX]
            }
        }
        return result
    }

    /// Paper is not white and ink not black, and every sensor sees something that is not there.
    func noisy(seed: UInt64, by strength: Int) -> Picture {
        var (result, noise) = (self, Noise(seed: seed))
        for index in result.grey.indices {
            let value = 40 + Int(grey[index]) * 170 / 255 + (Int(noise.byte()) - 128) * strength / 256
            result.grey[index] = UInt8(min(255, max(0, value)))
        }
        return result
    }

    func enlarged(by factor: Int) -> Picture {
        var result = Picture(width: width * factor, height: height * factor)
        for row in 0..<result.height {
            for column in 0..<result.width { result.grey[row * result.width + column] = grey[row / factor * width + column / factor] }
        }
        return result
    }

    func beside(_ other: Picture) -> Picture {
        var result = Picture(width: width + other.width + 40, height: max(height, other.height))
        for (picture, left) in [(self, 0), (other, width + 40)] {
            for row in 0..<picture.height {
                for column in 0..<picture.width {
                    result.grey[row * result.width + left + column] = picture.grey[row * picture.width + column]
                }
            }
        }
        return result
    }

    /// As a portable pixmap of Netpbm.
    var pnm: [UInt8] { Array("P5\n\(width) \(height)\n255\n".utf8) + grey }
}

/// Bytes that look random and are the same each time.
struct Noise {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

    mutating func byte() -> UInt8 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state >> 32)
    }
}

/// As PNG's chunks end with (ISO 3309).
enum CRC32 {
    static func of(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var value = ~UInt32(0)
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = value & 1 == 1
                value >>= 1
                if isOdd { value ^= 0xedb8_8320 }
            }
        }
        value = ~value
        return withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}
