package org.aspas.emulab.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TerminalWriterTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final TerminalWriter out = new TerminalWriter(bytes);

    private String written() {
        out.flush();
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void nobodyCommandsTheTerminalButTheCommand() {
        out.println("x\u001b[2J\u009b31m\u202e");
        out.print("tab\tand\n");
        out.append('\u0007').write("\u001b".toCharArray());
        new Terminal(out, true, true).title("bold \u001b[31m");
        assertThat(written())
                .isEqualTo(
                        "x\\u001b[2J\\u009b31m\\u202e\ntab\tand\n\\u0007\\u001b\u001b[1mbold \\u001b[31m\u001b[0m\n");
    }

    @Test
    void itSaysWhyNothingCanBeWritten() {
        out.println("fine");
        assertThat(out.trouble()).isEmpty();
        assertThat(failing("No space left on device").trouble()).hasValue("No space left on device");
        assertThat(failing("No space left on device").isUnread()).isFalse();
        assertThat(failing("Broken pipe").isUnread()).isTrue();
    }

    private static TerminalWriter failing(String why) {
        TerminalWriter failing = new TerminalWriter(new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                throw new IOException(why);
            }
        });
        failing.println("lost");
        return failing;
    }
}
