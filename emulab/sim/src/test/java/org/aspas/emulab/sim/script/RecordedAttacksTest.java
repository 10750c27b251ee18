package org.aspas.emulab.sim.script;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Kind;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.vectors.RecordedFiles;
import org.junit.jupiter.api.Test;

/**
 * docs/vectors/attacks.json has evidence against an attacker of every provable role, from runs of the real cores. After a change that is
 * meant, {@code mvn -pl emulab/sim -am test -Dtest=RecordedAttacksTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Daspas.vectors=rewrite} writes it anew.
 */
class RecordedAttacksTest {
    private static final String FILE = "attacks.json";
    private static final HexFormat HEX = HexFormat.of();
    /** Roles that need not be caught in every run, for kinds of evidence that no provable role leaves. */
    private static final List<String> MORE = List.of("client-equivocating");

    private static final long SEED = 1;

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
            file.add(role, SEED, AttackRun.pieces(role, SEED));
        }
        RecordedFiles.check(FILE, file.whole());
    }

    @Test
    void everyProvableRoleAndEveryKindOfEvidenceIsThere() throws IOException {
        Set<String> roles = new TreeSet<>();
        Set<Class<?>> kinds = new HashSet<>();
        for (JsonNode one : RecordedFiles.read(FILE).path("cases")) {
            roles.add(one.path("role").textValue());
            kinds.add(Kind.of(Long.parseLong(one.path("kind").textValue()))
                    .orElseThrow()
                    .type());
        }
        assertThat(roles).containsExactlyInAnyOrderElementsOf(roles());
        assertThat(kinds).containsExactlyInAnyOrder(Evidence.class.getPermittedSubclasses());
    }

    @Test
    void theFileAloneIsJudgedAsItSays() throws IOException {
        JsonNode whole = RecordedFiles.read(FILE);
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
