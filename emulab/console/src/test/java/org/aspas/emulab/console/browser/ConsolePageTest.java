package org.aspas.emulab.console.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.console.demo.LiveDemo;
import org.aspas.emulab.console.demo.LiveDemoOptions;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.world.MalformedFileException;
import org.aspas.emulab.sim.world.ShippedWorlds;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.sim.world.WorldReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * What a newcomer does, in a real browser on a real demo. In their order: the attack changes what is there. {@code -Daspas.role=ROLE} takes
 * a role instead of a random one. Screenshots are in {@code target/screenshots}.
 */
@Tag("browser")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConsolePageTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Path PICTURES = Path.of("target", "screenshots");
    private static final int CLIENTS = 20;

    /** A key with markup, a bidi override and a control character, as somebody may choose one. */
    private static final String HOSTILE = "<img src=x onerror=document.title='owned'>\u202e\u0007";

    private static final int HOME = 36;
    private static final int END = 35;
    private static final long SEED = System.nanoTime();

    private static LiveDemo demo;
    private static Chromium browser;
    private static DevTools page;

    @BeforeAll
    static void open() throws IOException, InterruptedException, TimeoutException, MalformedFileException {
        WorldMap world = WorldReader.read("aws5", ShippedWorlds.file("aws5").orElseThrow(), Roles::isServer);
        LiveDemoOptions usual = LiveDemoOptions.usual(new Quorums(1, 1), world, CLIENTS, SEED);
        List<String> watched = new ArrayList<>(usual.watched());
        watched.set(2, HOSTILE);
        demo = LiveDemo.start(new LiveDemoOptions(
                usual.quorums(),
                usual.world(),
                usual.clients(),
                usual.mix(),
                usual.workload(),
                usual.load(),
                usual.policy(),
                usual.seed(),
                watched,
                usual.patience()));
        browser = Chromium.start();
        page = browser.tab();
        page.size(1440, 900, false);
        page.prefers("light");
        page.open(demo.address());
        until("document.getElementById('connection')?.dataset.state === 'open'");
    }

    @AfterAll
    static void close() throws IOException, InterruptedException {
        if (browser != null) {
            browser.close();
        }
        if (demo != null) {
            demo.close();
        }
    }

    private static void until(String condition) {
        await(condition)
                .atMost(PATIENCE)
                .until(() -> page.evaluate("Boolean(" + condition + ")").asBoolean());
    }

    private static JsonNode ask(String expression) {
        return page.evaluate(expression);
    }

    private static String text(String selector) {
        return ask("document.querySelector(`" + selector + "`).textContent").asText();
    }

    @Test
    @Order(1)
    void localAndCertifiedValuesMeet() {
        until("[...document.querySelectorAll('#values td[data-met]')].some(cell => Number(cell.dataset.met) > 0)");
        assertThat(text("#newest-certificate")).startsWith("#");
        assertThat(ask("document.querySelectorAll('#map .site').length").asInt())
                .isEqualTo(5);
    }

    @Test
    @Order(2)
    void aKeyOfOthersIsTextAndNothingElse() {
        String head = "[...document.querySelectorAll('#values thead th')].at(-1)";
        assertThat(ask(head + ".textContent").asText())
                .isEqualTo("<img src=x onerror=document.title='owned'>\\u{202e}\\u{7}local / certified");
        assertThat(ask("document.querySelectorAll('#values img').length").asInt())
                .isZero();
        assertThat(ask("document.title").asText()).isEqualTo("ASPAS console");
    }

    /** At a usual width every text has its room: whatever hides what does not fit holds no more than it shows. */
    @Test
    @Order(2)
    void nothingIsCutAtAUsualWidth() {
        String cut =
                "[...document.querySelectorAll('body *')].filter(one => one.checkVisibility() && !one.closest('.unseen, svg, select')"
                        + " && getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1)"
                        + ".map(one => one.className + ' ' + one.textContent.slice(0, 60))";
        assertThat(ask(cut)).isEmpty();
        assertThat(ask("document.querySelector('.attack-card .steps').checkVisibility()")
                        .asBoolean())
                .as("no stages without an attack")
                .isFalse();
    }

    @Test
    @Order(2)
    void theSliderMovesTheWaitingLine() {
        String fast =
                "[...document.querySelectorAll('.class')].find(card => card.querySelector('input').value === '16')";
        until(fast + " && !" + fast + ".querySelector('input').disabled");
        String name = ask(fast + ".querySelector('input').dataset.class").asText();
        String slider = "document.querySelector('input[data-class=\"" + name + "\"]')";
        String waiting = "Number(" + slider
                + ".closest('.class').querySelector('[data-kind=waiting] b').textContent.replace(',', ''))";
        String exposure = waiting.replace("waiting", "exposure");
        until(waiting + " === 0 && " + exposure + " > 1");
        ask(slider + ".focus()");
        page.key("Home", HOME);
        until(slider + ".closest('.class').querySelector('output').textContent === 'τ = 1'");
        until(waiting + " > 0 && " + exposure + " <= 1");
        assertThat(text("#guide-tau")).isNotEmpty();
        until("document.getElementById('guide-tau').dataset.state === 'done'");
        page.key("End", END);
        until(waiting + " === 0 && " + exposure + " > 1");
    }

    @Test
    @Order(3)
    void aRandomRoleIsCaughtAndItsProofHoldsInThePage() throws IOException {
        List<String> roles = LiveDemo.roles().stream().filter(Roles::isProvable).toList();
        String role = System.getProperty("aspas.role", roles.get(new Random(SEED).nextInt(roles.size())));
        System.out.println("role " + role + ", seed " + SEED);
        page.screenshot(PICTURES.resolve("before-light.png"));
        ask("(role => { role.value = '" + role
                + "'; role.dispatchEvent(new Event('change')); })(document.getElementById('role'))");
        ask("document.getElementById('corrupt').click()");
        until("document.querySelector('.step[data-id=excluded]').dataset.state === 'done'");
        until("!document.getElementById('verify').disabled");
        ask("document.getElementById('verify').click()");
        until("document.getElementById('proof-verdict').dataset.state !== 'running'");
        page.screenshot(PICTURES.resolve("proof-light.png"));
        assertThat(text("#proof-verdict")).as("%s, seed %d", role, SEED).contains("The proof holds");
        assertThat(ask("document.querySelectorAll('#proof-steps .check[data-state=good]').length")
                        .asInt())
                .isGreaterThan(4);
        assertThat(ask("document.querySelectorAll('#proof-steps .check[data-state=bad]').length")
                        .asInt())
                .isZero();
        ask("document.getElementById('proof-close').click()");
    }

    @Test
    @Order(4)
    void nothingIsLost() throws IOException {
        until("['done', 'wrong'].includes(document.querySelector('.step[data-id=whole]').dataset.state)");
        assertThat(ask("document.querySelector('.step[data-id=whole]').dataset.state")
                        .asText())
                .as("seed %d: %s", SEED, text("#log"))
                .isEqualTo("done");
        page.screenshot(PICTURES.resolve("after-light.png"));
        page.prefers("dark");
        page.screenshot(PICTURES.resolve("after-dark.png"));
    }

    @Test
    @Order(5)
    void itFitsAPhoneMovesNothingAndBreaksNoRule() throws IOException {
        String shifts = "new Promise(done => new PerformanceObserver(list => done(list.getEntries()"
                + ".filter(entry => !entry.hadRecentInput).reduce((sum, entry) => sum + entry.value, 0)))"
                + ".observe({type: 'layout-shift', buffered: true}))";
        String within = "Promise.race([" + shifts + ", new Promise(done => setTimeout(() => done(0), 1000))])";
        assertThat(ask(within).asDouble()).as("layout shift").isLessThan(0.1);
        page.size(390, 844, true);
        until("innerWidth === 390");
        assertThat(ask("document.documentElement.scrollWidth").asInt()).isLessThanOrEqualTo(390);
        until("document.querySelector('#map').dataset.form === 'list'");
        assertThat(ask("document.querySelectorAll('#map .site .more').length").asInt())
                .isEqualTo(5);
        page.screenshot(PICTURES.resolve("phone-dark.png"));
        assertThat(page.complaints()).isEmpty();
    }
}
