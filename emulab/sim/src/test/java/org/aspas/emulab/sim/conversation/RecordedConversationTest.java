package org.aspas.emulab.sim.conversation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.client.core.ClientCore;
import org.aspas.client.core.Effect;
import org.aspas.client.core.Event;
import org.aspas.emulab.sim.vectors.RecordedFiles;
import org.junit.jupiter.api.Test;

/**
 * docs/vectors/conversation.json and docs/formats.md §23 are what the cores say to each other. After a change that is meant, {@code mvn -pl
 * emulab/sim -am test -Dtest=RecordedConversationTest -Dsurefire.failIfNoSpecifiedTests=false -Daspas.vectors=rewrite} writes both anew.
 */
class RecordedConversationTest {
    private static final String FILE = "conversation.json";
    private static final Path PAGE = Path.of("..", "..", "docs", "formats.md");
    private static final Pattern SAID = Pattern.compile("(?m)^(client|server): ([A-Za-z]+) ([0-9a-f]+)$");
    private static final int DAMAGED = 20;

    private static Descriptor descriptor() throws IOException, DescriptorFile.InvalidDescriptor {
        JsonNode one = RecordedFiles.read("descriptor.json").path("cases").path(0);
        HexFormat hex = HexFormat.of();
        return new DescriptorFile(
                        one.path("text").textValue().getBytes(StandardCharsets.UTF_8),
                        hex.parseHex(one.path("signatureFile").textValue().strip()))
                .open(PublicKey.of(hex.parseHex(one.path("operatorKey").textValue())));
    }

    private static List<String> frames() throws IOException {
        List<String> frames = new ArrayList<>();
        for (JsonNode scene : RecordedFiles.read(FILE).path("scenes")) {
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
        RecordedFiles.check(FILE, ConversationFile.of(descriptor, Script.run(descriptor)));
        if (RecordedFiles.REWRITE) {
            String page = Files.readString(PAGE);
            Iterator<String> said = frames().iterator();
            Files.writeString(PAGE, SAID.matcher(page).replaceAll(old -> Matcher.quoteReplacement(said.next())));
        }
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
