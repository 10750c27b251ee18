package org.aspas.emulab.sim.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.aspas.certify.message.Evidence;
import org.aspas.certify.message.Kind;
import org.aspas.emulab.sim.role.Roles;
import org.junit.jupiter.api.Test;

/**
 * docs/vectors/attacks.json has evidence against an attacker of every provable role, from runs of the real cores. After a change that is
 * meant, {@code mvn -pl emulab/sim -am test -Dtest=RecordedAttacksTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Daspas.vectors=rewrite} writes it anew.
 */
class RecordedAttacksTest {
    private static final Path FILE = Path.of("..", "..", "docs", "vectors", "attacks.json");
    private static final boolean REWRITE = "rewrite".equals(System.getProperty("aspas.vectors"));
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HexFormat HEX = HexFormat.of();
    private static final DefaultIndenter LINES = new DefaultIndenter("  ", "\n");
    /** Roles that need not be caught in every run, for kinds of evidence that no provable role leaves. */
    private static final List<String> MORE = List.of("client-equivocating");

    private static final long SEED = 1;
    /** Where the first seed does not lead to evidence. */
    private static final Map<String, Long> SEEDS = Map.of();

    private static List<String> roles() {
        List<String> roles =
                new ArrayList<>(Roles.all().stream().filter(Roles::isProvable).toList());
        roles.addAll(MORE);
        return roles;
    }

    @Test
    void theFileIsWhatTheCoresConvictBy() throws IOException {
        AttackFile file = new AttackFile(AttackRun.descriptor());
        for (String role : roles()) {
            long seed = SEEDS.getOrDefault(role, SEED);
            List<AttackRun.Piece> pieces = AttackRun.pieces(role, seed);
            file.add(role, seed, pieces);
        }
        String text =
                JSON.writer(new DefaultPrettyPrinter().withObjectIndenter(LINES).withArrayIndenter(LINES))
                                .writeValueAsString(file.whole())
                        + "\n";
        if (REWRITE) {
            Files.writeString(FILE, text);
        }
        assertThat(Files.readString(FILE)).isEqualTo(text);
    }

    @Test
    void everyProvableRoleAndEveryKindOfEvidenceIsThere() throws IOException {
        JsonNode cases = JSON.readTree(FILE.toFile()).path("cases");
        Set<String> roles = new TreeSet<>();
        Set<Class<?>> kinds = new HashSet<>();
        for (JsonNode one : cases) {
            roles.add(one.path("role").textValue());
            kinds.add(Arrays.stream(Kind.values())
                    .filter(kind -> String.valueOf(kind.number())
                            .equals(one.path("kind").textValue()))
                    .findFirst()
                    .orElseThrow()
                    .type());
        }
        assertThat(roles).containsExactlyInAnyOrderElementsOf(roles());
        assertThat(kinds).containsExactlyInAnyOrder(Evidence.class.getPermittedSubclasses());
    }

    @Test
    void theFileAloneIsJudgedAsItSays() throws IOException {
        JsonNode whole = JSON.readTree(FILE.toFile());
        AttackFile file = new AttackFile(AttackRun.descriptor());
        assertThat(whole.path("descriptor")).isEqualTo(file.whole().path("descriptor"));
        for (JsonNode one : whole.path("cases")) {
            byte[] evidence = HEX.parseHex(one.path("evidence").textValue());
            assertThat(file.finding(evidence))
                    .isEqualTo(one.path("finding").textValue())
                    .isIn("guilty", "needs replay");
            for (JsonNode changed : one.path("changed")) {
                byte[] other = evidence.clone();
                other[Integer.parseInt(changed.path("at").textValue())] ^= 1;
                assertThat(file.finding(other))
                        .as("%s", one.path("role"))
                        .isEqualTo(changed.path("finding").textValue())
                        .isNotIn("guilty", "needs replay");
            }
        }
    }
}
