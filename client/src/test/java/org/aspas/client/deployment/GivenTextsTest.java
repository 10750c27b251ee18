package org.aspas.client.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Arguments and files that people give are UTF-8, whatever the locale of the process, or are refused. */
class GivenTextsTest {
    private static byte[] words(byte[]... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] word : words) {
            out.writeBytes(word);
            out.write(0);
        }
        return out.toByteArray();
    }

    private static byte[] utf8(String word) {
        return word.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void argumentsAreDecodedFromTheirBytes() {
        byte[] raw = words(utf8("java"), utf8("-cp"), utf8("x"), utf8("Main"), utf8("clé"), utf8(""), utf8("\ufffd"));
        String[] asciiLocale = {"cl\ufffd\ufffd", "", "\ufffd\ufffd\ufffd"};
        assertThat(ProgramArguments.exact(asciiLocale, raw)).containsExactly("clé", "", "\ufffd");
        assertThat(ProgramArguments.exact(new String[0], raw)).isEmpty();
    }

    @Test
    void anArgumentThatIsNotUtf8IsRefused() {
        byte[] broken = {'c', 'l', (byte) 0xff};
        assertThatThrownBy(() -> ProgramArguments.exact(
                        new String[] {"inc", "cl\ufffd"}, words(utf8("java"), utf8("Main"), utf8("inc"), broken)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("argument 2 is not UTF-8");
    }

    @Test
    void withoutTheBytesNothingIsGuessed() {
        assertThat(ProgramArguments.exact(new String[] {"clé"}, new byte[0])).containsExactly("clé");
        assertThatThrownBy(() -> ProgramArguments.exact(new String[] {"cl\ufffd"}, new byte[0]))
                .hasMessageContaining("argument 1 is not UTF-8");
    }

    @Test
    void aFileThatIsNotUtf8IsNamedWithItsLine(@TempDir Path folder) throws Exception {
        Path latin1 = folder.resolve("lan.yaml");
        Files.write(latin1, "name: lan\n# caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> TextFile.read(latin1))
                .isInstanceOf(TextFile.NotTextException.class)
                .hasMessage(latin1 + ", line 2: the byte E9 is not UTF-8; save the file as UTF-8");
        Path utf16 = Files.write(folder.resolve("wide"), "a\n".getBytes(StandardCharsets.UTF_16));
        assertThatThrownBy(() -> TextFile.read(utf16)).hasMessageContaining("is UTF-16");
        Path cut = Files.write(folder.resolve("cut"), new byte[] {'a', '\n', (byte) 0xf0, (byte) 0x9f});
        assertThatThrownBy(() -> TextFile.read(cut)).hasMessageContaining("line 2");
        Path right = Files.writeString(folder.resolve("right"), "\ufeffclé\r\n");
        assertThat(TextFile.read(right)).isEqualTo("\ufeffclé\r\n");
    }
}
