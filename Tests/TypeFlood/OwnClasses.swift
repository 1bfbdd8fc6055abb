// swift-format-ignore-file
// Made by generate.sh. Each says another number, so that no two are one implementation.
import Foundation

final class Own0: Numbered, @unchecked Sendable { override func main() { say(0) } }
final class Own1: Numbered, @unchecked Sendable { override func main() { say(1) } }
final class Own2: Numbered, @unchecked Sendable { override func main() { say(2) } }
final class Own3: Numbered, @unchecked Sendable { override func main() { say(3) } }
final class Own4: Numbered, @unchecked Sendable { override func main() { say(4) } }
final class Own5: Numbered, @unchecked Sendable { override func main() { say(5) } }
final class Own6: Numbered, @unchecked Sendable { override func main() { say(6) } }
final class Own7: Numbered, @unchecked Sendable { override func main() { say(7) } }
final class Own8: Numbered, @unchecked Sendable { override func main() { say(8) } }
final class Own9: Numbered, @unchecked Sendable { override func main() { say(9) } }
final class Own10: Numbered, @unchecked Sendable { override func main() { say(10) } }
final class Own11: Numbered, @unchecked Sendable { override func main() { say(11) } }
final class Own12: Numbered, @unchecked Sendable { override func main() { say(12) } }
final class Own13: Numbered, @unchecked Sendable { override func main() { say(13) } }
final class Own14: Numbered, @unchecked Sendable { override func main() { say(14) } }
final class Own15: Numbered, @unchecked Sendable { override func main() { say(15) } }
final class Own16: Numbered, @unchecked Sendable { override func main() { say(16) } }
final class Own17: Numbered, @unchecked Sendable { override func main() { say(17) } }
final class Own18: Numbered, @unchecked Sendable { override func main() { say(18) } }
final class Own19: Numbered, @unchecked Sendable { override func main() { say(19) } }
final class Own20: Numbered, @unchecked Sendable { override func main() { say(20) } }
final class Own21: Numbered, @unchecked Sendable { override func main() { say(21) } }
final class Own22: Numbered, @unchecked Sendable { override func main() { say(22) } }
final class Own23: Numbered, @unchecked Sendable { override func main() { say(23) } }
final class Own24: Numbered, @unchecked Sendable { override func main() { say(24) } }
final class Own25: Numbered, @unchecked Sendable { override func main() { say(25) } }
final class Own26: Numbered, @unchecked Sendable { override func main() { say(26) } }
final class Own27: Numbered, @unchecked Sendable { override func main() { say(27) } }
final class Own28: Numbered, @unchecked Sendable { override func main() { say(28) } }
final class Own29: Numbered, @unchecked Sendable { override func main() { say(29) } }
final class Own30: Numbered, @unchecked Sendable { override func main() { say(30) } }
final class Own31: Numbered, @unchecked Sendable { override func main() { say(31) } }
final class Own32: Numbered, @unchecked Sendable { override func main() { say(32) } }
final class Own33: Numbered, @unchecked Sendable { override func main() { say(33) } }
final class Own34: Numbered, @unchecked Sendable { override func main() { say(34) } }
final class Own35: Numbered, @unchecked Sendable { override func main() { say(35) } }
final class Own36: Numbered, @unchecked Sendable { override func main() { say(36) } }
final class Own37: Numbered, @unchecked Sendable { override func main() { say(37) } }
final class Own38: Numbered, @unchecked Sendable { override func main() { say(38) } }
final class Own39: Numbered, @unchecked Sendable { override func main() { say(39) } }
final class Own40: Numbered, @unchecked Sendable { override func main() { say(40) } }
final class Own41: Numbered, @unchecked Sendable { override func main() { say(41) } }
final class Own42: Numbered, @unchecked Sendable { override func main() { say(42) } }
final class Own43: Numbered, @unchecked Sendable { override func main() { say(43) } }
final class Own44: Numbered, @unchecked Sendable { override func main() { say(44) } }
final class Own45: Numbered, @unchecked Sendable { override func main() { say(45) } }
final class Own46: Numbered, @unchecked Sendable { override func main() { say(46) } }
final class Own47: Numbered, @unchecked Sendable { override func main() { say(47) } }
final class Own48: Numbered, @unchecked Sendable { override func main() { say(48) } }
final class Own49: Numbered, @unchecked Sendable { override func main() { say(49) } }
final class Own50: Numbered, @unchecked Sendable { override func main() { say(50) } }
final class Own51: Numbered, @unchecked Sendable { override func main() { say(51) } }
final class Own52: Numbered, @unchecked Sendable { override func main() { say(52) } }
final class Own53: Numbered, @unchecked Sendable { override func main() { say(53) } }
final class Own54: Numbered, @unchecked Sendable { override func main() { say(54) } }
final class Own55: Numbered, @unchecked Sendable { override func main() { say(55) } }
final class Own56: Numbered, @unchecked Sendable { override func main() { say(56) } }
final class Own57: Numbered, @unchecked Sendable { override func main() { say(57) } }
final class Own58: Numbered, @unchecked Sendable { override func main() { say(58) } }
final class Own59: Numbered, @unchecked Sendable { override func main() { say(59) } }
final class Own60: Numbered, @unchecked Sendable { override func main() { say(60) } }
final class Own61: Numbered, @unchecked Sendable { override func main() { say(61) } }
final class Own62: Numbered, @unchecked Sendable { override func main() { say(62) } }
final class Own63: Numbered, @unchecked Sendable { override func main() { say(63) } }
final class Own64: Numbered, @unchecked Sendable { override func main() { say(64) } }
final class Own65: Numbered, @unchecked Sendable { override func main() { say(65) } }
final class Own66: Numbered, @unchecked Sendable { override func main() { say(66) } }
final class Own67: Numbered, @unchecked Sendable { override func main() { say(67) } }
final class Own68: Numbered, @unchecked Sendable { override func main() { say(68) } }
final class Own69: Numbered, @unchecked Sendable { override func main() { say(69) } }
final class Own70: Numbered, @unchecked Sendable { override func main() { say(70) } }
final class Own71: Numbered, @unchecked Sendable { override func main() { say(71) } }
final class Own72: Numbered, @unchecked Sendable { override func main() { say(72) } }
final class Own73: Numbered, @unchecked Sendable { override func main() { say(73) } }
final class Own74: Numbered, @unchecked Sendable { override func main() { say(74) } }
final class Own75: Numbered, @unchecked Sendable { override func main() { say(75) } }
final class Own76: Numbered, @unchecked Sendable { override func main() { say(76) } }
final class Own77: Numbered, @unchecked Sendable { override func main() { say(77) } }
final class Own78: Numbered, @unchecked Sendable { override func main() { say(78) } }
final class Own79: Numbered, @unchecked Sendable { override func main() { say(79) } }
final class Own80: Numbered, @unchecked Sendable { override func main() { say(80) } }
final class Own81: Numbered, @unchecked Sendable { override func main() { say(81) } }
final class Own82: Numbered, @unchecked Sendable { override func main() { say(82) } }
final class Own83: Numbered, @unchecked Sendable { override func main() { say(83) } }
final class Own84: Numbered, @unchecked Sendable { override func main() { say(84) } }
final class Own85: Numbered, @unchecked Sendable { override func main() { say(85) } }
final class Own86: Numbered, @unchecked Sendable { override func main() { say(86) } }
final class Own87: Numbered, @unchecked Sendable { override func main() { say(87) } }
final class Own88: Numbered, @unchecked Sendable { override func main() { say(88) } }
final class Own89: Numbered, @unchecked Sendable { override func main() { say(89) } }
final class Own90: Numbered, @unchecked Sendable { override func main() { say(90) } }
final class Own91: Numbered, @unchecked Sendable { override func main() { say(91) } }
final class Own92: Numbered, @unchecked Sendable { override func main() { say(92) } }
final class Own93: Numbered, @unchecked Sendable { override func main() { say(93) } }
final class Own94: Numbered, @unchecked Sendable { override func main() { say(94) } }
final class Own95: Numbered, @unchecked Sendable { override func main() { say(95) } }
final class Own96: Numbered, @unchecked Sendable { override func main() { say(96) } }
final class Own97: Numbered, @unchecked Sendable { override func main() { say(97) } }
final class Own98: Numbered, @unchecked Sendable { override func main() { say(98) } }
final class Own99: Numbered, @unchecked Sendable { override func main() { say(99) } }
final class Own100: Numbered, @unchecked Sendable { override func main() { say(100) } }
final class Own101: Numbered, @unchecked Sendable { override func main() { say(101) } }
final class Own102: Numbered, @unchecked Sendable { override func main() { say(102) } }
final class Own103: Numbered, @unchecked Sendable { override func main() { say(103) } }
final class Own104: Numbered, @unchecked Sendable { override func main() { say(104) } }
final class Own105: Numbered, @unchecked Sendable { override func main() { say(105) } }
final class Own106: Numbered, @unchecked Sendable { override func main() { say(106) } }
final class Own107: Numbered, @unchecked Sendable { override func main() { say(107) } }
final class Own108: Numbered, @unchecked Sendable { override func main() { say(108) } }
final class Own109: Numbered, @unchecked Sendable { override func main() { say(109) } }
final class Own110: Numbered, @unchecked Sendable { override func main() { say(110) } }
final class Own111: Numbered, @unchecked Sendable { override func main() { say(111) } }
final class Own112: Numbered, @unchecked Sendable { override func main() { say(112) } }
final class Own113: Numbered, @unchecked Sendable { override func main() { say(113) } }
final class Own114: Numbered, @unchecked Sendable { override func main() { say(114) } }
final class Own115: Numbered, @unchecked Sendable { override func main() { say(115) } }
final class Own116: Numbered, @unchecked Sendable { override func main() { say(116) } }
final class Own117: Numbered, @unchecked Sendable { override func main() { say(117) } }
final class Own118: Numbered, @unchecked Sendable { override func main() { say(118) } }
final class Own119: Numbered, @unchecked Sendable { override func main() { say(119) } }
final class Own120: Numbered, @unchecked Sendable { override func main() { say(120) } }
final class Own121: Numbered, @unchecked Sendable { override func main() { say(121) } }
final class Own122: Numbered, @unchecked Sendable { override func main() { say(122) } }
final class Own123: Numbered, @unchecked Sendable { override func main() { say(123) } }
final class Own124: Numbered, @unchecked Sendable { override func main() { say(124) } }
final class Own125: Numbered, @unchecked Sendable { override func main() { say(125) } }
final class Own126: Numbered, @unchecked Sendable { override func main() { say(126) } }
final class Own127: Numbered, @unchecked Sendable { override func main() { say(127) } }
final class Own128: Numbered, @unchecked Sendable { override func main() { say(128) } }
final class Own129: Numbered, @unchecked Sendable { override func main() { say(129) } }
final class Own130: Numbered, @unchecked Sendable { override func main() { say(130) } }
final class Own131: Numbered, @unchecked Sendable { override func main() { say(131) } }
final class Own132: Numbered, @unchecked Sendable { override func main() { say(132) } }
final class Own133: Numbered, @unchecked Sendable { override func main() { say(133) } }
final class Own134: Numbered, @unchecked Sendable { override func main() { say(134) } }
final class Own135: Numbered, @unchecked Sendable { override func main() { say(135) } }
final class Own136: Numbered, @unchecked Sendable { override func main() { say(136) } }
final class Own137: Numbered, @unchecked Sendable { override func main() { say(137) } }
final class Own138: Numbered, @unchecked Sendable { override func main() { say(138) } }
final class Own139: Numbered, @unchecked Sendable { override func main() { say(139) } }
final class Own140: Numbered, @unchecked Sendable { override func main() { say(140) } }
final class Own141: Numbered, @unchecked Sendable { override func main() { say(141) } }
final class Own142: Numbered, @unchecked Sendable { override func main() { say(142) } }
final class Own143: Numbered, @unchecked Sendable { override func main() { say(143) } }
final class Own144: Numbered, @unchecked Sendable { override func main() { say(144) } }
final class Own145: Numbered, @unchecked Sendable { override func main() { say(145) } }
final class Own146: Numbered, @unchecked Sendable { override func main() { say(146) } }
final class Own147: Numbered, @unchecked Sendable { override func main() { say(147) } }
final class Own148: Numbered, @unchecked Sendable { override func main() { say(148) } }
final class Own149: Numbered, @unchecked Sendable { override func main() { say(149) } }
final class Own150: Numbered, @unchecked Sendable { override func main() { say(150) } }
final class Own151: Numbered, @unchecked Sendable { override func main() { say(151) } }
final class Own152: Numbered, @unchecked Sendable { override func main() { say(152) } }
final class Own153: Numbered, @unchecked Sendable { override func main() { say(153) } }
final class Own154: Numbered, @unchecked Sendable { override func main() { say(154) } }
final class Own155: Numbered, @unchecked Sendable { override func main() { say(155) } }
final class Own156: Numbered, @unchecked Sendable { override func main() { say(156) } }
final class Own157: Numbered, @unchecked Sendable { override func main() { say(157) } }
final class Own158: Numbered, @unchecked Sendable { override func main() { say(158) } }
final class Own159: Numbered, @unchecked Sendable { override func main() { say(159) } }
final class Own160: Numbered, @unchecked Sendable { override func main() { say(160) } }
final class Own161: Numbered, @unchecked Sendable { override func main() { say(161) } }
final class Own162: Numbered, @unchecked Sendable { override func main() { say(162) } }
final class Own163: Numbered, @unchecked Sendable { override func main() { say(163) } }
final class Own164: Numbered, @unchecked Sendable { override func main() { say(164) } }
final class Own165: Numbered, @unchecked Sendable { override func main() { say(165) } }
final class Own166: Numbered, @unchecked Sendable { override func main() { say(166) } }
final class Own167: Numbered, @unchecked Sendable { override func main() { say(167) } }
final class Own168: Numbered, @unchecked Sendable { override func main() { say(168) } }
final class Own169: Numbered, @unchecked Sendable { override func main() { say(169) } }
final class Own170: Numbered, @unchecked Sendable { override func main() { say(170) } }
final class Own171: Numbered, @unchecked Sendable { override func main() { say(171) } }
final class Own172: Numbered, @unchecked Sendable { override func main() { say(172) } }
final class Own173: Numbered, @unchecked Sendable { override func main() { say(173) } }
final class Own174: Numbered, @unchecked Sendable { override func main() { say(174) } }
final class Own175: Numbered, @unchecked Sendable { override func main() { say(175) } }
final class Own176: Numbered, @unchecked Sendable { override func main() { say(176) } }
final class Own177: Numbered, @unchecked Sendable { override func main() { say(177) } }
final class Own178: Numbered, @unchecked Sendable { override func main() { say(178) } }
final class Own179: Numbered, @unchecked Sendable { override func main() { say(179) } }
final class Own180: Numbered, @unchecked Sendable { override func main() { say(180) } }
final class Own181: Numbered, @unchecked Sendable { override func main() { say(181) } }
final class Own182: Numbered, @unchecked Sendable { override func main() { say(182) } }
final class Own183: Numbered, @unchecked Sendable { override func main() { say(183) } }
final class Own184: Numbered, @unchecked Sendable { override func main() { say(184) } }
final class Own185: Numbered, @unchecked Sendable { override func main() { say(185) } }
final class Own186: Numbered, @unchecked Sendable { override func main() { say(186) } }
final class Own187: Numbered, @unchecked Sendable { override func main() { say(187) } }
final class Own188: Numbered, @unchecked Sendable { override func main() { say(188) } }
final class Own189: Numbered, @unchecked Sendable { override func main() { say(189) } }
final class Own190: Numbered, @unchecked Sendable { override func main() { say(190) } }
final class Own191: Numbered, @unchecked Sendable { override func main() { say(191) } }
final class Own192: Numbered, @unchecked Sendable { override func main() { say(192) } }
final class Own193: Numbered, @unchecked Sendable { override func main() { say(193) } }
final class Own194: Numbered, @unchecked Sendable { override func main() { say(194) } }
final class Own195: Numbered, @unchecked Sendable { override func main() { say(195) } }
final class Own196: Numbered, @unchecked Sendable { override func main() { say(196) } }
final class Own197: Numbered, @unchecked Sendable { override func main() { say(197) } }
final class Own198: Numbered, @unchecked Sendable { override func main() { say(198) } }
final class Own199: Numbered, @unchecked Sendable { override func main() { say(199) } }
final class Own200: Numbered, @unchecked Sendable { override func main() { say(200) } }
final class Own201: Numbered, @unchecked Sendable { override func main() { say(201) } }
final class Own202: Numbered, @unchecked Sendable { override func main() { say(202) } }
final class Own203: Numbered, @unchecked Sendable { override func main() { say(203) } }
final class Own204: Numbered, @unchecked Sendable { override func main() { say(204) } }
final class Own205: Numbered, @unchecked Sendable { override func main() { say(205) } }
final class Own206: Numbered, @unchecked Sendable { override func main() { say(206) } }
final class Own207: Numbered, @unchecked Sendable { override func main() { say(207) } }
final class Own208: Numbered, @unchecked Sendable { override func main() { say(208) } }
final class Own209: Numbered, @unchecked Sendable { override func main() { say(209) } }
final class Own210: Numbered, @unchecked Sendable { override func main() { say(210) } }
final class Own211: Numbered, @unchecked Sendable { override func main() { say(211) } }
final class Own212: Numbered, @unchecked Sendable { override func main() { say(212) } }
final class Own213: Numbered, @unchecked Sendable { override func main() { say(213) } }
final class Own214: Numbered, @unchecked Sendable { override func main() { say(214) } }
final class Own215: Numbered, @unchecked Sendable { override func main() { say(215) } }
final class Own216: Numbered, @unchecked Sendable { override func main() { say(216) } }
final class Own217: Numbered, @unchecked Sendable { override func main() { say(217) } }
final class Own218: Numbered, @unchecked Sendable { override func main() { say(218) } }
final class Own219: Numbered, @unchecked Sendable { override func main() { say(219) } }
final class Own220: Numbered, @unchecked Sendable { override func main() { say(220) } }
final class Own221: Numbered, @unchecked Sendable { override func main() { say(221) } }
final class Own222: Numbered, @unchecked Sendable { override func main() { say(222) } }
final class Own223: Numbered, @unchecked Sendable { override func main() { say(223) } }
final class Own224: Numbered, @unchecked Sendable { override func main() { say(224) } }
final class Own225: Numbered, @unchecked Sendable { override func main() { say(225) } }
final class Own226: Numbered, @unchecked Sendable { override func main() { say(226) } }
final class Own227: Numbered, @unchecked Sendable { override func main() { say(227) } }
final class Own228: Numbered, @unchecked Sendable { override func main() { say(228) } }
final class Own229: Numbered, @unchecked Sendable { override func main() { say(229) } }
final class Own230: Numbered, @unchecked Sendable { override func main() { say(230) } }
final class Own231: Numbered, @unchecked Sendable { override func main() { say(231) } }
final class Own232: Numbered, @unchecked Sendable { override func main() { say(232) } }
final class Own233: Numbered, @unchecked Sendable { override func main() { say(233) } }
final class Own234: Numbered, @unchecked Sendable { override func main() { say(234) } }
final class Own235: Numbered, @unchecked Sendable { override func main() { say(235) } }
final class Own236: Numbered, @unchecked Sendable { override func main() { say(236) } }
final class Own237: Numbered, @unchecked Sendable { override func main() { say(237) } }
final class Own238: Numbered, @unchecked Sendable { override func main() { say(238) } }
final class Own239: Numbered, @unchecked Sendable { override func main() { say(239) } }
final class Own240: Numbered, @unchecked Sendable { override func main() { say(240) } }
final class Own241: Numbered, @unchecked Sendable { override func main() { say(241) } }
final class Own242: Numbered, @unchecked Sendable { override func main() { say(242) } }
final class Own243: Numbered, @unchecked Sendable { override func main() { say(243) } }
final class Own244: Numbered, @unchecked Sendable { override func main() { say(244) } }
final class Own245: Numbered, @unchecked Sendable { override func main() { say(245) } }
final class Own246: Numbered, @unchecked Sendable { override func main() { say(246) } }
final class Own247: Numbered, @unchecked Sendable { override func main() { say(247) } }
final class Own248: Numbered, @unchecked Sendable { override func main() { say(248) } }
final class Own249: Numbered, @unchecked Sendable { override func main() { say(249) } }
final class Own250: Numbered, @unchecked Sendable { override func main() { say(250) } }
final class Own251: Numbered, @unchecked Sendable { override func main() { say(251) } }
final class Own252: Numbered, @unchecked Sendable { override func main() { say(252) } }
final class Own253: Numbered, @unchecked Sendable { override func main() { say(253) } }
final class Own254: Numbered, @unchecked Sendable { override func main() { say(254) } }
final class Own255: Numbered, @unchecked Sendable { override func main() { say(255) } }
final class Own256: Numbered, @unchecked Sendable { override func main() { say(256) } }
final class Own257: Numbered, @unchecked Sendable { override func main() { say(257) } }
final class Own258: Numbered, @unchecked Sendable { override func main() { say(258) } }
final class Own259: Numbered, @unchecked Sendable { override func main() { say(259) } }
final class Own260: Numbered, @unchecked Sendable { override func main() { say(260) } }
final class Own261: Numbered, @unchecked Sendable { override func main() { say(261) } }
final class Own262: Numbered, @unchecked Sendable { override func main() { say(262) } }
final class Own263: Numbered, @unchecked Sendable { override func main() { say(263) } }
final class Own264: Numbered, @unchecked Sendable { override func main() { say(264) } }
final class Own265: Numbered, @unchecked Sendable { override func main() { say(265) } }
final class Own266: Numbered, @unchecked Sendable { override func main() { say(266) } }
final class Own267: Numbered, @unchecked Sendable { override func main() { say(267) } }
final class Own268: Numbered, @unchecked Sendable { override func main() { say(268) } }
final class Own269: Numbered, @unchecked Sendable { override func main() { say(269) } }
final class Own270: Numbered, @unchecked Sendable { override func main() { say(270) } }
final class Own271: Numbered, @unchecked Sendable { override func main() { say(271) } }
final class Own272: Numbered, @unchecked Sendable { override func main() { say(272) } }
final class Own273: Numbered, @unchecked Sendable { override func main() { say(273) } }
final class Own274: Numbered, @unchecked Sendable { override func main() { say(274) } }
final class Own275: Numbered, @unchecked Sendable { override func main() { say(275) } }
final class Own276: Numbered, @unchecked Sendable { override func main() { say(276) } }
final class Own277: Numbered, @unchecked Sendable { override func main() { say(277) } }
final class Own278: Numbered, @unchecked Sendable { override func main() { say(278) } }
final class Own279: Numbered, @unchecked Sendable { override func main() { say(279) } }
final class Own280: Numbered, @unchecked Sendable { override func main() { say(280) } }
final class Own281: Numbered, @unchecked Sendable { override func main() { say(281) } }
final class Own282: Numbered, @unchecked Sendable { override func main() { say(282) } }
final class Own283: Numbered, @unchecked Sendable { override func main() { say(283) } }
final class Own284: Numbered, @unchecked Sendable { override func main() { say(284) } }
final class Own285: Numbered, @unchecked Sendable { override func main() { say(285) } }
final class Own286: Numbered, @unchecked Sendable { override func main() { say(286) } }
final class Own287: Numbered, @unchecked Sendable { override func main() { say(287) } }
final class Own288: Numbered, @unchecked Sendable { override func main() { say(288) } }
final class Own289: Numbered, @unchecked Sendable { override func main() { say(289) } }
final class Own290: Numbered, @unchecked Sendable { override func main() { say(290) } }
final class Own291: Numbered, @unchecked Sendable { override func main() { say(291) } }
final class Own292: Numbered, @unchecked Sendable { override func main() { say(292) } }
final class Own293: Numbered, @unchecked Sendable { override func main() { say(293) } }
final class Own294: Numbered, @unchecked Sendable { override func main() { say(294) } }
final class Own295: Numbered, @unchecked Sendable { override func main() { say(295) } }
final class Own296: Numbered, @unchecked Sendable { override func main() { say(296) } }
final class Own297: Numbered, @unchecked Sendable { override func main() { say(297) } }
final class Own298: Numbered, @unchecked Sendable { override func main() { say(298) } }
final class Own299: Numbered, @unchecked Sendable { override func main() { say(299) } }
final class Own300: Numbered, @unchecked Sendable { override func main() { say(300) } }
final class Own301: Numbered, @unchecked Sendable { override func main() { say(301) } }
final class Own302: Numbered, @unchecked Sendable { override func main() { say(302) } }
final class Own303: Numbered, @unchecked Sendable { override func main() { say(303) } }
final class Own304: Numbered, @unchecked Sendable { override func main() { say(304) } }
final class Own305: Numbered, @unchecked Sendable { override func main() { say(305) } }
final class Own306: Numbered, @unchecked Sendable { override func main() { say(306) } }
final class Own307: Numbered, @unchecked Sendable { override func main() { say(307) } }
final class Own308: Numbered, @unchecked Sendable { override func main() { say(308) } }
final class Own309: Numbered, @unchecked Sendable { override func main() { say(309) } }
final class Own310: Numbered, @unchecked Sendable { override func main() { say(310) } }
final class Own311: Numbered, @unchecked Sendable { override func main() { say(311) } }
final class Own312: Numbered, @unchecked Sendable { override func main() { say(312) } }
final class Own313: Numbered, @unchecked Sendable { override func main() { say(313) } }
final class Own314: Numbered, @unchecked Sendable { override func main() { say(314) } }
final class Own315: Numbered, @unchecked Sendable { override func main() { say(315) } }
final class Own316: Numbered, @unchecked Sendable { override func main() { say(316) } }
final class Own317: Numbered, @unchecked Sendable { override func main() { say(317) } }
final class Own318: Numbered, @unchecked Sendable { override func main() { say(318) } }
final class Own319: Numbered, @unchecked Sendable { override func main() { say(319) } }
final class Own320: Numbered, @unchecked Sendable { override func main() { say(320) } }
final class Own321: Numbered, @unchecked Sendable { override func main() { say(321) } }
final class Own322: Numbered, @unchecked Sendable { override func main() { say(322) } }
final class Own323: Numbered, @unchecked Sendable { override func main() { say(323) } }
final class Own324: Numbered, @unchecked Sendable { override func main() { say(324) } }
final class Own325: Numbered, @unchecked Sendable { override func main() { say(325) } }
final class Own326: Numbered, @unchecked Sendable { override func main() { say(326) } }
final class Own327: Numbered, @unchecked Sendable { override func main() { say(327) } }
final class Own328: Numbered, @unchecked Sendable { override func main() { say(328) } }
final class Own329: Numbered, @unchecked Sendable { override func main() { say(329) } }
final class Own330: Numbered, @unchecked Sendable { override func main() { say(330) } }
final class Own331: Numbered, @unchecked Sendable { override func main() { say(331) } }
final class Own332: Numbered, @unchecked Sendable { override func main() { say(332) } }
final class Own333: Numbered, @unchecked Sendable { override func main() { say(333) } }
final class Own334: Numbered, @unchecked Sendable { override func main() { say(334) } }
final class Own335: Numbered, @unchecked Sendable { override func main() { say(335) } }
final class Own336: Numbered, @unchecked Sendable { override func main() { say(336) } }
final class Own337: Numbered, @unchecked Sendable { override func main() { say(337) } }
final class Own338: Numbered, @unchecked Sendable { override func main() { say(338) } }
final class Own339: Numbered, @unchecked Sendable { override func main() { say(339) } }
final class Own340: Numbered, @unchecked Sendable { override func main() { say(340) } }
final class Own341: Numbered, @unchecked Sendable { override func main() { say(341) } }
final class Own342: Numbered, @unchecked Sendable { override func main() { say(342) } }
final class Own343: Numbered, @unchecked Sendable { override func main() { say(343) } }
final class Own344: Numbered, @unchecked Sendable { override func main() { say(344) } }
final class Own345: Numbered, @unchecked Sendable { override func main() { say(345) } }
final class Own346: Numbered, @unchecked Sendable { override func main() { say(346) } }
final class Own347: Numbered, @unchecked Sendable { override func main() { say(347) } }
final class Own348: Numbered, @unchecked Sendable { override func main() { say(348) } }
final class Own349: Numbered, @unchecked Sendable { override func main() { say(349) } }
final class Own350: Numbered, @unchecked Sendable { override func main() { say(350) } }
final class Own351: Numbered, @unchecked Sendable { override func main() { say(351) } }
final class Own352: Numbered, @unchecked Sendable { override func main() { say(352) } }
final class Own353: Numbered, @unchecked Sendable { override func main() { say(353) } }
final class Own354: Numbered, @unchecked Sendable { override func main() { say(354) } }
final class Own355: Numbered, @unchecked Sendable { override func main() { say(355) } }
final class Own356: Numbered, @unchecked Sendable { override func main() { say(356) } }
final class Own357: Numbered, @unchecked Sendable { override func main() { say(357) } }
final class Own358: Numbered, @unchecked Sendable { override func main() { say(358) } }
final class Own359: Numbered, @unchecked Sendable { override func main() { say(359) } }
final class Own360: Numbered, @unchecked Sendable { override func main() { say(360) } }
final class Own361: Numbered, @unchecked Sendable { override func main() { say(361) } }
final class Own362: Numbered, @unchecked Sendable { override func main() { say(362) } }
final class Own363: Numbered, @unchecked Sendable { override func main() { say(363) } }
final class Own364: Numbered, @unchecked Sendable { override func main() { say(364) } }
final class Own365: Numbered, @unchecked Sendable { override func main() { say(365) } }
final class Own366: Numbered, @unchecked Sendable { override func main() { say(366) } }
final class Own367: Numbered, @unchecked Sendable { override func main() { say(367) } }
final class Own368: Numbered, @unchecked Sendable { override func main() { say(368) } }
final class Own369: Numbered, @unchecked Sendable { override func main() { say(369) } }
final class Own370: Numbered, @unchecked Sendable { override func main() { say(370) } }
final class Own371: Numbered, @unchecked Sendable { override func main() { say(371) } }
final class Own372: Numbered, @unchecked Sendable { override func main() { say(372) } }
final class Own373: Numbered, @unchecked Sendable { override func main() { say(373) } }
final class Own374: Numbered, @unchecked Sendable { override func main() { say(374) } }
final class Own375: Numbered, @unchecked Sendable { override func main() { say(375) } }
final class Own376: Numbered, @unchecked Sendable { override func main() { say(376) } }
final class Own377: Numbered, @unchecked Sendable { override func main() { say(377) } }
final class Own378: Numbered, @unchecked Sendable { override func main() { say(378) } }
final class Own379: Numbered, @unchecked Sendable { override func main() { say(379) } }
final class Own380: Numbered, @unchecked Sendable { override func main() { say(380) } }
final class Own381: Numbered, @unchecked Sendable { override func main() { say(381) } }
final class Own382: Numbered, @unchecked Sendable { override func main() { say(382) } }
final class Own383: Numbered, @unchecked Sendable { override func main() { say(383) } }
final class Own384: Numbered, @unchecked Sendable { override func main() { say(384) } }
final class Own385: Numbered, @unchecked Sendable { override func main() { say(385) } }
final class Own386: Numbered, @unchecked Sendable { override func main() { say(386) } }
final class Own387: Numbered, @unchecked Sendable { override func main() { say(387) } }
final class Own388: Numbered, @unchecked Sendable { override func main() { say(388) } }
final class Own389: Numbered, @unchecked Sendable { override func main() { say(389) } }
final class Own390: Numbered, @unchecked Sendable { override func main() { say(390) } }
final class Own391: Numbered, @unchecked Sendable { override func main() { say(391) } }
final class Own392: Numbered, @unchecked Sendable { override func main() { say(392) } }
final class Own393: Numbered, @unchecked Sendable { override func main() { say(393) } }
final class Own394: Numbered, @unchecked Sendable { override func main() { say(394) } }
final class Own395: Numbered, @unchecked Sendable { override func main() { say(395) } }
final class Own396: Numbered, @unchecked Sendable { override func main() { say(396) } }
final class Own397: Numbered, @unchecked Sendable { override func main() { say(397) } }
final class Own398: Numbered, @unchecked Sendable { override func main() { say(398) } }
final class Own399: Numbered, @unchecked Sendable { override func main() { say(399) } }
final class Own400: Numbered, @unchecked Sendable { override func main() { say(400) } }
final class Own401: Numbered, @unchecked Sendable { override func main() { say(401) } }
final class Own402: Numbered, @unchecked Sendable { override func main() { say(402) } }
final class Own403: Numbered, @unchecked Sendable { override func main() { say(403) } }
final class Own404: Numbered, @unchecked Sendable { override func main() { say(404) } }
final class Own405: Numbered, @unchecked Sendable { override func main() { say(405) } }
final class Own406: Numbered, @unchecked Sendable { override func main() { say(406) } }
final class Own407: Numbered, @unchecked Sendable { override func main() { say(407) } }
final class Own408: Numbered, @unchecked Sendable { override func main() { say(408) } }
final class Own409: Numbered, @unchecked Sendable { override func main() { say(409) } }
final class Own410: Numbered, @unchecked Sendable { override func main() { say(410) } }
final class Own411: Numbered, @unchecked Sendable { override func main() { say(411) } }
final class Own412: Numbered, @unchecked Sendable { override func main() { say(412) } }
final class Own413: Numbered, @unchecked Sendable { override func main() { say(413) } }
final class Own414: Numbered, @unchecked Sendable { override func main() { say(414) } }
final class Own415: Numbered, @unchecked Sendable { override func main() { say(415) } }
final class Own416: Numbered, @unchecked Sendable { override func main() { say(416) } }
final class Own417: Numbered, @unchecked Sendable { override func main() { say(417) } }
final class Own418: Numbered, @unchecked Sendable { override func main() { say(418) } }
final class Own419: Numbered, @unchecked Sendable { override func main() { say(419) } }
final class Own420: Numbered, @unchecked Sendable { override func main() { say(420) } }
final class Own421: Numbered, @unchecked Sendable { override func main() { say(421) } }
final class Own422: Numbered, @unchecked Sendable { override func main() { say(422) } }
final class Own423: Numbered, @unchecked Sendable { override func main() { say(423) } }
final class Own424: Numbered, @unchecked Sendable { override func main() { say(424) } }
final class Own425: Numbered, @unchecked Sendable { override func main() { say(425) } }
final class Own426: Numbered, @unchecked Sendable { override func main() { say(426) } }
final class Own427: Numbered, @unchecked Sendable { override func main() { say(427) } }
final class Own428: Numbered, @unchecked Sendable { override func main() { say(428) } }
final class Own429: Numbered, @unchecked Sendable { override func main() { say(429) } }
final class Own430: Numbered, @unchecked Sendable { override func main() { say(430) } }
final class Own431: Numbered, @unchecked Sendable { override func main() { say(431) } }
final class Own432: Numbered, @unchecked Sendable { override func main() { say(432) } }
final class Own433: Numbered, @unchecked Sendable { override func main() { say(433) } }
final class Own434: Numbered, @unchecked Sendable { override func main() { say(434) } }
final class Own435: Numbered, @unchecked Sendable { override func main() { say(435) } }
final class Own436: Numbered, @unchecked Sendable { override func main() { say(436) } }
final class Own437: Numbered, @unchecked Sendable { override func main() { say(437) } }
final class Own438: Numbered, @unchecked Sendable { override func main() { say(438) } }
final class Own439: Numbered, @unchecked Sendable { override func main() { say(439) } }
final class Own440: Numbered, @unchecked Sendable { override func main() { say(440) } }
final class Own441: Numbered, @unchecked Sendable { override func main() { say(441) } }
final class Own442: Numbered, @unchecked Sendable { override func main() { say(442) } }
final class Own443: Numbered, @unchecked Sendable { override func main() { say(443) } }
final class Own444: Numbered, @unchecked Sendable { override func main() { say(444) } }
final class Own445: Numbered, @unchecked Sendable { override func main() { say(445) } }
final class Own446: Numbered, @unchecked Sendable { override func main() { say(446) } }
final class Own447: Numbered, @unchecked Sendable { override func main() { say(447) } }
final class Own448: Numbered, @unchecked Sendable { override func main() { say(448) } }
final class Own449: Numbered, @unchecked Sendable { override func main() { say(449) } }
final class Own450: Numbered, @unchecked Sendable { override func main() { say(450) } }
final class Own451: Numbered, @unchecked Sendable { override func main() { say(451) } }
final class Own452: Numbered, @unchecked Sendable { override func main() { say(452) } }
final class Own453: Numbered, @unchecked Sendable { override func main() { say(453) } }
final class Own454: Numbered, @unchecked Sendable { override func main() { say(454) } }
final class Own455: Numbered, @unchecked Sendable { override func main() { say(455) } }
final class Own456: Numbered, @unchecked Sendable { override func main() { say(456) } }
final class Own457: Numbered, @unchecked Sendable { override func main() { say(457) } }
final class Own458: Numbered, @unchecked Sendable { override func main() { say(458) } }
final class Own459: Numbered, @unchecked Sendable { override func main() { say(459) } }
final class Own460: Numbered, @unchecked Sendable { override func main() { say(460) } }
final class Own461: Numbered, @unchecked Sendable { override func main() { say(461) } }
final class Own462: Numbered, @unchecked Sendable { override func main() { say(462) } }
final class Own463: Numbered, @unchecked Sendable { override func main() { say(463) } }
final class Own464: Numbered, @unchecked Sendable { override func main() { say(464) } }
final class Own465: Numbered, @unchecked Sendable { override func main() { say(465) } }
final class Own466: Numbered, @unchecked Sendable { override func main() { say(466) } }
final class Own467: Numbered, @unchecked Sendable { override func main() { say(467) } }
final class Own468: Numbered, @unchecked Sendable { override func main() { say(468) } }
final class Own469: Numbered, @unchecked Sendable { override func main() { say(469) } }
final class Own470: Numbered, @unchecked Sendable { override func main() { say(470) } }
final class Own471: Numbered, @unchecked Sendable { override func main() { say(471) } }
final class Own472: Numbered, @unchecked Sendable { override func main() { say(472) } }
final class Own473: Numbered, @unchecked Sendable { override func main() { say(473) } }
final class Own474: Numbered, @unchecked Sendable { override func main() { say(474) } }
final class Own475: Numbered, @unchecked Sendable { override func main() { say(475) } }
final class Own476: Numbered, @unchecked Sendable { override func main() { say(476) } }
final class Own477: Numbered, @unchecked Sendable { override func main() { say(477) } }
final class Own478: Numbered, @unchecked Sendable { override func main() { say(478) } }
final class Own479: Numbered, @unchecked Sendable { override func main() { say(479) } }
final class Own480: Numbered, @unchecked Sendable { override func main() { say(480) } }
final class Own481: Numbered, @unchecked Sendable { override func main() { say(481) } }
final class Own482: Numbered, @unchecked Sendable { override func main() { say(482) } }
final class Own483: Numbered, @unchecked Sendable { override func main() { say(483) } }
final class Own484: Numbered, @unchecked Sendable { override func main() { say(484) } }
final class Own485: Numbered, @unchecked Sendable { override func main() { say(485) } }
final class Own486: Numbered, @unchecked Sendable { override func main() { say(486) } }
final class Own487: Numbered, @unchecked Sendable { override func main() { say(487) } }
final class Own488: Numbered, @unchecked Sendable { override func main() { say(488) } }
final class Own489: Numbered, @unchecked Sendable { override func main() { say(489) } }
final class Own490: Numbered, @unchecked Sendable { override func main() { say(490) } }
final class Own491: Numbered, @unchecked Sendable { override func main() { say(491) } }
final class Own492: Numbered, @unchecked Sendable { override func main() { say(492) } }
final class Own493: Numbered, @unchecked Sendable { override func main() { say(493) } }
final class Own494: Numbered, @unchecked Sendable { override func main() { say(494) } }
final class Own495: Numbered, @unchecked Sendable { override func main() { say(495) } }
final class Own496: Numbered, @unchecked Sendable { override func main() { say(496) } }
final class Own497: Numbered, @unchecked Sendable { override func main() { say(497) } }
final class Own498: Numbered, @unchecked Sendable { override func main() { say(498) } }
final class Own499: Numbered, @unchecked Sendable { override func main() { say(499) } }
final class Own500: Numbered, @unchecked Sendable { override func main() { say(500) } }
final class Own501: Numbered, @unchecked Sendable { override func main() { say(501) } }
final class Own502: Numbered, @unchecked Sendable { override func main() { say(502) } }
final class Own503: Numbered, @unchecked Sendable { override func main() { say(503) } }
final class Own504: Numbered, @unchecked Sendable { override func main() { say(504) } }
final class Own505: Numbered, @unchecked Sendable { override func main() { say(505) } }
final class Own506: Numbered, @unchecked Sendable { override func main() { say(506) } }
final class Own507: Numbered, @unchecked Sendable { override func main() { say(507) } }
final class Own508: Numbered, @unchecked Sendable { override func main() { say(508) } }
final class Own509: Numbered, @unchecked Sendable { override func main() { say(509) } }
final class Own510: Numbered, @unchecked Sendable { override func main() { say(510) } }
final class Own511: Numbered, @unchecked Sendable { override func main() { say(511) } }
final class Own512: Numbered, @unchecked Sendable { override func main() { say(512) } }
final class Own513: Numbered, @unchecked Sendable { override func main() { say(513) } }
final class Own514: Numbered, @unchecked Sendable { override func main() { say(514) } }
final class Own515: Numbered, @unchecked Sendable { override func main() { say(515) } }
final class Own516: Numbered, @unchecked Sendable { override func main() { say(516) } }
final class Own517: Numbered, @unchecked Sendable { override func main() { say(517) } }
final class Own518: Numbered, @unchecked Sendable { override func main() { say(518) } }
final class Own519: Numbered, @unchecked Sendable { override func main() { say(519) } }
final class Own520: Numbered, @unchecked Sendable { override func main() { say(520) } }
final class Own521: Numbered, @unchecked Sendable { override func main() { say(521) } }
final class Own522: Numbered, @unchecked Sendable { override func main() { say(522) } }
final class Own523: Numbered, @unchecked Sendable { override func main() { say(523) } }
final class Own524: Numbered, @unchecked Sendable { override func main() { say(524) } }
final class Own525: Numbered, @unchecked Sendable { override func main() { say(525) } }
final class Own526: Numbered, @unchecked Sendable { override func main() { say(526) } }
final class Own527: Numbered, @unchecked Sendable { override func main() { say(527) } }
final class Own528: Numbered, @unchecked Sendable { override func main() { say(528) } }
final class Own529: Numbered, @unchecked Sendable { override func main() { say(529) } }
final class Own530: Numbered, @unchecked Sendable { override func main() { say(530) } }
final class Own531: Numbered, @unchecked Sendable { override func main() { say(531) } }
final class Own532: Numbered, @unchecked Sendable { override func main() { say(532) } }
final class Own533: Numbered, @unchecked Sendable { override func main() { say(533) } }
final class Own534: Numbered, @unchecked Sendable { override func main() { say(534) } }
final class Own535: Numbered, @unchecked Sendable { override func main() { say(535) } }
final class Own536: Numbered, @unchecked Sendable { override func main() { say(536) } }
final class Own537: Numbered, @unchecked Sendable { override func main() { say(537) } }
final class Own538: Numbered, @unchecked Sendable { override func main() { say(538) } }
final class Own539: Numbered, @unchecked Sendable { override func main() { say(539) } }

let ownClasses: [Numbered.Type] = [
    Own0.self, Own1.self, Own2.self, Own3.self, Own4.self, Own5.self, Own6.self, Own7.self, Own8.self,
    Own9.self, Own10.self, Own11.self, Own12.self, Own13.self, Own14.self, Own15.self, Own16.self,
    Own17.self, Own18.self, Own19.self, Own20.self, Own21.self, Own22.self, Own23.self, Own24.self,
    Own25.self, Own26.self, Own27.self, Own28.self, Own29.self, Own30.self, Own31.self, Own32.self,
    Own33.self, Own34.self, Own35.self, Own36.self, Own37.self, Own38.self, Own39.self, Own40.self,
    Own41.self, Own42.self, Own43.self, Own44.self, Own45.self, Own46.self, Own47.self, Own48.self,
    Own49.self, Own50.self, Own51.self, Own52.self, Own53.self, Own54.self, Own55.self, Own56.self,
    Own57.self, Own58.self, Own59.self, Own60.self, Own61.self, Own62.self, Own63.self, Own64.self,
    Own65.self, Own66.self, Own67.self, Own68.self, Own69.self, Own70.self, Own71.self, Own72.self,
    Own73.self, Own74.self, Own75.self, Own76.self, Own77.self, Own78.self, Own79.self, Own80.self,
    Own81.self, Own82.self, Own83.self, Own84.self, Own85.self, Own86.self, Own87.self, Own88.self,
    Own89.self, Own90.self, Own91.self, Own92.self, Own93.self, Own94.self, Own95.self, Own96.self,
    Own97.self, Own98.self, Own99.self, Own100.self, Own101.self, Own102.self, Own103.self, Own104.self,
    Own105.self, Own106.self, Own107.self, Own108.self, Own109.self, Own110.self, Own111.self, Own112.self,
    Own113.self, Own114.self, Own115.self, Own116.self, Own117.self, Own118.self, Own119.self, Own120.self,
    Own121.self, Own122.self, Own123.self, Own124.self, Own125.self, Own126.self, Own127.self, Own128.self,
    Own129.self, Own130.self, Own131.self, Own132.self, Own133.self, Own134.self, Own135.self, Own136.self,
    Own137.self, Own138.self, Own139.self, Own140.self, Own141.self, Own142.self, Own143.self, Own144.self,
    Own145.self, Own146.self, Own147.self, Own148.self, Own149.self, Own150.self, Own151.self, Own152.self,
    Own153.self, Own154.self, Own155.self, Own156.self, Own157.self, Own158.self, Own159.self, Own160.self,
    Own161.self, Own162.self, Own163.self, Own164.self, Own165.self, Own166.self, Own167.self, Own168.self,
    Own169.self, Own170.self, Own171.self, Own172.self, Own173.self, Own174.self, Own175.self, Own176.self,
    Own177.self, Own178.self, Own179.self, Own180.self, Own181.self, Own182.self, Own183.self, Own184.self,
    Own185.self, Own186.self, Own187.self, Own188.self, Own189.self, Own190.self, Own191.self, Own192.self,
    Own193.self, Own194.self, Own195.self, Own196.self, Own197.self, Own198.self, Own199.self, Own200.self,
    Own201.self, Own202.self, Own203.self, Own204.self, Own205.self, Own206.self, Own207.self, Own208.self,
    Own209.self, Own210.self, Own211.self, Own212.self, Own213.self, Own214.self, Own215.self, Own216.self,
    Own217.self, Own218.self, Own219.self, Own220.self, Own221.self, Own222.self, Own223.self, Own224.self,
    Own225.self, Own226.self, Own227.self, Own228.self, Own229.self, Own230.self, Own231.self, Own232.self,
    Own233.self, Own234.self, Own235.self, Own236.self, Own237.self, Own238.self, Own239.self, Own240.self,
    Own241.self, Own242.self, Own243.self, Own244.self, Own245.self, Own246.self, Own247.self, Own248.self,
    Own249.self, Own250.self, Own251.self, Own252.self, Own253.self, Own254.self, Own255.self, Own256.self,
    Own257.self, Own258.self, Own259.self, Own260.self, Own261.self, Own262.self, Own263.self, Own264.self,
    Own265.self, Own266.self, Own267.self, Own268.self, Own269.self, Own270.self, Own271.self, Own272.self,
    Own273.self, Own274.self, Own275.self, Own276.self, Own277.self, Own278.self, Own279.self, Own280.self,
    Own281.self, Own282.self, Own283.self, Own284.self, Own285.self, Own286.self, Own287.self, Own288.self,
    Own289.self, Own290.self, Own291.self, Own292.self, Own293.self, Own294.self, Own295.self, Own296.self,
    Own297.self, Own298.self, Own299.self, Own300.self, Own301.self, Own302.self, Own303.self, Own304.self,
    Own305.self, Own306.self, Own307.self, Own308.self, Own309.self, Own310.self, Own311.self, Own312.self,
    Own313.self, Own314.self, Own315.self, Own316.self, Own317.self, Own318.self, Own319.self, Own320.self,
    Own321.self, Own322.self, Own323.self, Own324.self, Own325.self, Own326.self, Own327.self, Own328.self,
    Own329.self, Own330.self, Own331.self, Own332.self, Own333.self, Own334.self, Own335.self, Own336.self,
    Own337.self, Own338.self, Own339.self, Own340.self, Own341.self, Own342.self, Own343.self, Own344.self,
    Own345.self, Own346.self, Own347.self, Own348.self, Own349.self, Own350.self, Own351.self, Own352.self,
    Own353.self, Own354.self, Own355.self, Own356.self, Own357.self, Own358.self, Own359.self, Own360.self,
    Own361.self, Own362.self, Own363.self, Own364.self, Own365.self, Own366.self, Own367.self, Own368.self,
    Own369.self, Own370.self, Own371.self, Own372.self, Own373.self, Own374.self, Own375.self, Own376.self,
    Own377.self, Own378.self, Own379.self, Own380.self, Own381.self, Own382.self, Own383.self, Own384.self,
    Own385.self, Own386.self, Own387.self, Own388.self, Own389.self, Own390.self, Own391.self, Own392.self,
    Own393.self, Own394.self, Own395.self, Own396.self, Own397.self, Own398.self, Own399.self, Own400.self,
    Own401.self, Own402.self, Own403.self, Own404.self, Own405.self, Own406.self, Own407.self, Own408.self,
    Own409.self, Own410.self, Own411.self, Own412.self, Own413.self, Own414.self, Own415.self, Own416.self,
    Own417.self, Own418.self, Own419.self, Own420.self, Own421.self, Own422.self, Own423.self, Own424.self,
    Own425.self, Own426.self, Own427.self, Own428.self, Own429.self, Own430.self, Own431.self, Own432.self,
    Own433.self, Own434.self, Own435.self, Own436.self, Own437.self, Own438.self, Own439.self, Own440.self,
    Own441.self, Own442.self, Own443.self, Own444.self, Own445.self, Own446.self, Own447.self, Own448.self,
    Own449.self, Own450.self, Own451.self, Own452.self, Own453.self, Own454.self, Own455.self, Own456.self,
    Own457.self, Own458.self, Own459.self, Own460.self, Own461.self, Own462.self, Own463.self, Own464.self,
    Own465.self, Own466.self, Own467.self, Own468.self, Own469.self, Own470.self, Own471.self, Own472.self,
    Own473.self, Own474.self, Own475.self, Own476.self, Own477.self, Own478.self, Own479.self, Own480.self,
    Own481.self, Own482.self, Own483.self, Own484.self, Own485.self, Own486.self, Own487.self, Own488.self,
    Own489.self, Own490.self, Own491.self, Own492.self, Own493.self, Own494.self, Own495.self, Own496.self,
    Own497.self, Own498.self, Own499.self, Own500.self, Own501.self, Own502.self, Own503.self, Own504.self,
    Own505.self, Own506.self, Own507.self, Own508.self, Own509.self, Own510.self, Own511.self, Own512.self,
    Own513.self, Own514.self, Own515.self, Own516.self, Own517.self, Own518.self, Own519.self, Own520.self,
    Own521.self, Own522.self, Own523.self, Own524.self, Own525.self, Own526.self, Own527.self, Own528.self,
    Own529.self, Own530.self, Own531.self, Own532.self, Own533.self, Own534.self, Own535.self, Own536.self,
    Own537.self, Own538.self, Own539.self,
]
