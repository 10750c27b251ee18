package org.aspas.emulab.sim.adversary;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which names are those of roles. */
class RolesTest {
    @Test
    void aRoleThatAnswersWronglySaysHowOften() {
        assertThat(Roles.isServer("wrong-values@1")).isTrue();
        assertThat(Roles.isServer("wrong-values@100+mute")).isTrue();
        assertThat(Roles.line("wrong-values@1")).isEqualTo("answers 1 in a hundred with a wrong value");
        assertThat(Roles.line("wrong-values@7+mute")).startsWith("answers 7 in a hundred with a wrong value; ");
        for (String none : new String[] {"wrong-values@0", "wrong-values@101", "wrong-values@", "mute@1"}) {
            assertThat(Roles.isServer(none)).as(none).isFalse();
        }
        assertThat(Roles.servers()).contains("wrong-values").noneMatch(name -> name.contains("@"));
    }
}
