package org.aspas.emulab.sim.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.PublicKey;
import org.aspas.client.core.ClientCore;
import org.aspas.client.core.port.Effect;
import org.aspas.client.core.port.Event;
import org.junit.jupiter.api.Test;

/**
 * docs/vectors/conversation.json and docs/formats.md §23 are what the cores say to each other. After a change that is meant, {@code mvn -pl
 * emulab/sim -am test -Dtest=RecordedConversationTest -Dsurefire.failIfNoSpecifiedTests=false -Daspas.vectors=rewrite} writes both anew.
 */
class RecordedConversationTest {
    private static final Path DOCS = Path.of("..", "..", "docs");
    private static final Path FILE = DOCS.resolve("vectors").resolve("conversation.json");
    private static final Path PAGE = DOCS.resolve("formats.md");
    private static final boolean REWRITE = "rewrite".equals(System.getProperty("aspas.vectors"));
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final DefaultIndenter LINES = new DefaultIndenter("  ", "\n");
    private static final Pattern SAID = Pattern.compile("(?m)^(client|server): ([A-Za-z]+) ([0-9a-f]+)$");
    private static final int DAMAGED = 20;

    private static Descriptor descriptor() throws IOException, DescriptorFile.InvalidDescriptor {
        JsonNode one = JSON.readTree(
                        DOCS.resolve("vectors").resolve("descriptor.json").toFile())
                .path("cases")
                .path(0);
        HexFormat hex = HexFormat.of();
        return new DescriptorFile(
                        one.path("text").textValue().getBytes(StandardCharsets.UTF_8),
                        hex.parseHex(one.path("signatureFile").textValue().strip()))
                .open(PublicKey.of(hex.parseHex(one.path("operatorKey").textValue())));
    }

    private static List<String> frames() throws IOException {
        List<String> frames = new ArrayList<>();
        for (JsonNode scene : JSON.readTree(FILE.toFile()).path("scenes")) {
            for (JsonNode frame : scene.path("frames")) {
                frames.add(frame.path("from").textValue() + ": "
                        + frame.path("kind").textValue() + " "
                        + frame.path("hex").textValue());
            }
        }
        return frames;
    }

    @Test
    void theFileIsWhatTheCoresSay() throws IOException, DescriptorFile.InvalidDescriptor {
        Descriptor descriptor = descriptor();
        String text =
                JSON.writer(new DefaultPrettyPrinter().withObjectIndenter(LINES).withArrayIndenter(LINES))
                                .writeValueAsString(ConversationFile.of(descriptor, Script.run(descriptor)))
                        + "\n";
        if (REWRITE) {
            Files.writeString(FILE, text);
            String page = Files.readString(PAGE);
            Iterator<String> said = frames().iterator();
            Files.writeString(PAGE, SAID.matcher(page).replaceAll(old -> Matcher.quoteReplacement(said.next())));
        }
        assertThat(Files.readString(FILE)).isEqualTo(text);
    }

    @Test
    void thePageShowsTheFramesOfTheFile() throws IOException {
        String page = Files.readString(PAGE);
        assertThat(SAID.matcher(page).results().map(MatchResult::group)).containsExactlyElementsOf(frames());
    }

    /** A frame of the server with one bit changed leads to nothing that the right one does not lead to, wherever the bit is. */
    @Test
    void damagedFramesOfTheServerLeadToNothingElse() throws IOException, DescriptorFile.InvalidDescriptor {
        List<Script.Scene> scenes = Script.run(descriptor());
        Script.Scene increment = scenes.get(1);
        Script.Scene read = scenes.get(4);
        assertThat(results(increment.effects())).hasSize(1);
        assertThat(results(read.effects())).hasSize(1);
        for (int place = 0; place < DAMAGED; place++) {
            assertThat(nothingElse(scenes.subList(0, 1), increment, place)).isTrue();
            assertThat(nothingElse(scenes.subList(0, 4), read, place)).isTrue();
        }
    }

    /** Whether the last frame of a scene, damaged at a place, leads to nothing, or to what the right one leads to. */
    private static boolean nothingElse(List<Script.Scene> before, Script.Scene scene, int place)
            throws IOException, DescriptorFile.InvalidDescriptor {
        ClientCore client = Dialogue.client(descriptor());
        client.step(new Event.Connected());
        for (Script.Scene one : before) {
            play(client, one, one.lines().size());
        }
        int last = scene.lines().size() - 1;
        play(client, scene, last);
        byte[] frame = scene.lines().get(last).frame().clone();
        int at = (int) ((long) place * (frame.length - 1) / (DAMAGED - 1));
        frame[at] ^= 1;
        List<Effect> told = Codec.decode(frame)
                .accepted()
                .map(decoded -> results(client.step(new Event.FrameReceived(decoded))))
                .orElse(List.of());
        return told.isEmpty() || told.equals(results(scene.effects()));
    }

    /** What is proved to the application. */
    private static List<Effect> results(List<Effect> effects) {
        return effects.stream()
                .filter(effect -> effect instanceof Effect.Confirmed || effect instanceof Effect.ReadDone)
                .toList();
    }

    private static void play(ClientCore client, Script.Scene scene, int lines) {
        Event call = scene.call();
        if (call != null) {
            client.step(call);
        }
        for (Dialogue.Line line : scene.lines().subList(0, lines)) {
            if (line.byServer()) {
                Frame frame = CoreDeployment.decoded(line.frame());
                client.step(new Event.FrameReceived(frame));
            }
        }
    }
}
