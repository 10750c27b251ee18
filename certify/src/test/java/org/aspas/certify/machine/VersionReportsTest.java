package org.aspas.certify.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.aspas.crdt.clock.VersionVector;
import org.junit.jupiter.api.Test;

/** What the machine makes of a server that says less of one origin than before, and more of the others. */
class VersionReportsTest {
    private final World world = new World(1);

    /** Server 3 gave server 2 another branch of its log, fell silent, and server 2 repaired. */
    @Test
    void aServerThatRepairedOneLogIsHeardOfAllOthers() {
        world.write(3, 9);
        world.order(world.report(2, VersionVector.of(0, 0, 0, 9)));
        world.write(0, 2);
        world.write(1, 2);
        world.write(2, 2);
        for (int server = 0; server < 3; server++) {
            world.order(world.report(server, VersionVector.of(2, 2, 2, 3)));
        }
        world.ticks(2);
        world.settle(4, 3);
        assertThat(world.certificates
                        .get((long) world.certificates.size())
                        .content()
                        .version())
                .isEqualTo(VersionVector.of(2, 2, 2, 3));
    }
}
