package org.aspas.certify.vectors;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.Map;

/** Texts that are a {@code value} (docs/formats.md §1), and texts that are none. */
final class CborVectors {
    private static final Map<String, String> RIGHT = Map.ofEntries(
            Map.entry("0", "00"),
            Map.entry("23, in the head", "17"),
            Map.entry("24, in one byte", "1818"),
            Map.entry("255", "18ff"),
            Map.entry("256, in two bytes", "190100"),
            Map.entry("65536, in four bytes", "1a00010000"),
            Map.entry("2^32, in eight bytes", "1b0000000100000000"),
            Map.entry("2^53 - 1, the last that a double has with its neighbours", "1b001fffffffffffff"),
            Map.entry("2^53 + 1, which no double has", "1b0020000000000001"),
            Map.entry("2^63 - 1", "1b7fffffffffffffff"),
            Map.entry("-1", "20"),
            Map.entry("-24", "37"),
            Map.entry("-25", "3818"),
            Map.entry("-2^53 - 1, which no double has", "3b0020000000000000"),
            Map.entry("-2^63", "3b7fffffffffffffff"),
            Map.entry("no bytes", "40"),
            Map.entry("one byte", "4100"),
            Map.entry("24 bytes", "5818" + "ab".repeat(24)),
            Map.entry("256 bytes", "590100" + "cd".repeat(256)),
            Map.entry("an empty text", "60"),
            Map.entry("a text", "6161"),
            Map.entry("a text of two bytes and one character", "62c3bc"),
            Map.entry("a text of four bytes and one character", "64f09f9880"),
            Map.entry("a text with a zero byte", "6100"),
            Map.entry("a text with a byte order mark", "64efbbbf61"),
            Map.entry("an empty array", "80"),
            Map.entry("an array of all kinds", "8401616142000180"),
            Map.entry("24 items", "9818" + "00".repeat(24)),
            Map.entry("eight arrays around an item", "81".repeat(8) + "01"));

    private static final String[][] WRONG = {
        {"no bytes at all", "", "the text ends before an item"},
        {"23 in one byte", "1817", "an integer not in the shortest form"},
        {"255 in two bytes", "1900ff", "an integer not in the shortest form"},
        {"65535 in four bytes", "1a0000ffff", "an integer not in the shortest form"},
        {"2^32 - 1 in eight bytes", "1b00000000ffffffff", "an integer not in the shortest form"},
        {"-24 in one byte", "3817", "an integer not in the shortest form"},
        {"2^63", "1b8000000000000000", "an integer beyond 64 signed bits"},
        {"2^64 - 1", "1bffffffffffffffff", "an integer beyond 64 signed bits"},
        {"-2^63 - 1", "3b8000000000000000", "an integer beyond 64 signed bits"},
        {"a big number by its tag", "c249010000000000000000", "there are no tags"},
        {"a head of the length 28", "1c", "no such length"},
        {"a head of the length 31", "1f", "no such length"},
        {"a number cut short", "1903", "the text ends within an item"},
        {"bytes cut short", "42aa", "the text ends within an item"},
        {"a text cut short", "626f", "the text ends within an item"},
        {"an array cut short", "8201", "the text ends within an item"},
        {"a byte behind the end", "0100", "bytes behind the end"},
        {"two items", "616161", "bytes behind the end"},
        {"a length not in the shortest form", "580161", "a length not in the shortest form"},
        {"a text's length not in the shortest form", "780161", "a length not in the shortest form"},
        {"an array's length not in the shortest form", "980101", "a length not in the shortest form"},
        {"a length of 2^64 - 1", "5bffffffffffffffff", "longer than the text"},
        {"an array of 2^63 - 1 items", "9b7fffffffffffffff", "longer than the text"},
        {"an array of 2^32 items", "9b0000000100000000", "longer than the text"},
        {"bytes of indefinite length", "5f4161ff", "lengths are definite"},
        {"a text of indefinite length", "7f6161ff", "lengths are definite"},
        {"an array of indefinite length", "9f01ff", "lengths are definite"},
        {"a break", "ff", "lengths are definite"},
        {"a map", "a0", "there are no maps"},
        {"a map with a name", "a1616101", "there are no maps"},
        {"a tag", "c101", "there are no tags"},
        {"half a float", "f93c00", "there are no floats"},
        {"a float", "fa3f800000", "there are no floats"},
        {"a double", "fb3ff0000000000000", "there are no floats"},
        {"undefined", "f7", "no item of the format"},
        {"a simple value", "f820", "no item of the format"},
        {"true, which no value is", "f5", "not a value"},
        {"null, which no value is", "f6", "not a value"},
        {"null in an array", "81f6", "not a value"},
        {"a text that is no UTF-8", "61ff", "not well-formed UTF-8"},
        {"a text with an overlong character", "62c080", "not well-formed UTF-8"},
        {"a text with a surrogate", "63eda080", "not well-formed UTF-8"},
        {"a text with a pair of surrogates", "66eda081edb080", "not well-formed UTF-8"},
        {"a text beyond U+10FFFF", "64f4908080", "not well-formed UTF-8"},
        {"a text that ends within a character", "61c3", "not well-formed UTF-8"},
        {"nine arrays around an item", "81".repeat(9) + "01", "an item in more than eight arrays"},
    };

    private CborVectors() {}

    static ArrayNode make() {
        VectorCases cases = new VectorCases();
        RIGHT.entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .forEach(each -> cases.valid(each.getKey())
                        .put("hex", each.getValue())
                        .set("value", VectorJson.items(VectorJson.bytes(each.getValue()))));
        for (String[] each : WRONG) {
            cases.invalid(each[0], each[2]).put("hex", each[1]);
        }
        return cases.list();
    }
}
