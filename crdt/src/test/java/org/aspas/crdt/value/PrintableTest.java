package org.aspas.crdt.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PrintableTest {
    @Test
    void whatATerminalObeysIsEscaped() {
        assertThat(Printable.text("x\n\u001b[2J\u001b]0;owned\u0007OK"))
                .isEqualTo("x\\n\\u001b[2J\\u001b]0;owned\\u0007OK");
        assertThat(Printable.text("\u009b31m\u007f\u2028\u202egpj.exe\u2066\t\r"))
                .isEqualTo("\\u009b31m\\u007f\\u2028\\u202egpj.exe\\u2066\\t\\r");
        assertThat(Printable.text("\ud800")).isEqualTo("\\ud800");
        assertThat(Printable.text("clé 😀 a\\b \ufeff\ufffd")).isEqualTo("clé 😀 a\\b \ufeff\ufffd");
    }

    @Test
    void everyControlCharacterIsEscaped() {
        IntStream.concat(IntStream.range(0, 0x20), IntStream.range(0x7f, 0xa0))
                .forEach(each ->
                        assertThat(Printable.text(Character.toString(each))).startsWith("\\"));
        assertThat(Printable.lines("a\n\tb\u001b\r")).isEqualTo("a\n\tb\\u001b\\u000d".replace("u000d", "r"));
    }

    @Test
    void aWordCanBeGivenToAShellAgain() {
        assertThat(Printable.word("hello")).isEqualTo("hello");
        assertThat(Printable.word("likes/42")).isEqualTo("likes/42");
        assertThat(Printable.word("clé")).isEqualTo("clé");
        assertThat(Printable.word("")).isEqualTo("''");
        assertThat(Printable.word("well said")).isEqualTo("'well said'");
        assertThat(Printable.word("a\\b")).isEqualTo("'a\\b'");
        assertThat(Printable.word("it's")).isEqualTo("$'it\\'s'");
        assertThat(Printable.word("a\\'\nb")).isEqualTo("$'a\\\\\\'\\nb'");
    }
}
